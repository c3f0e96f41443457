import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 2, iterations: 4 };

const defaults = { currency: 'EUR', lines: [], meta: { source: 'load' } };

function toQuery(params) {
    return Object.entries(params)
        .map(([k, v]) => `${k}=${encodeURIComponent(v)}`)
        .join('&');
}

export default function () {
    const order = Object.assign({}, defaults, { lines: [] });
    order.id = 'o-1';
    order['note'] = 'line "one"\nline two\ttab';
    order.lines.push({ sku: 'a', n: 2 });
    order.lines.push({ sku: 'b', n: 1 }, { sku: 'c' });
    order.total = 0;
    for (const line of order.lines) {
        order.total += line.n || 0;
        line.n ??= 0;
    }
    delete order.meta;
    if ('currency' in order) order.currency = order.currency.toLowerCase();

    const res = http.post(`${BASE}/echo?${toQuery({ a: 1, b: 'x y', c: true })}`, JSON.stringify(order));
    const keys = Object.keys(order);
    check(res, {
        'keys keep their order': () => keys.join() === 'currency,lines,id,note,total',
        'body': (r) => r.json('body') === '{"currency":"eur","lines":[{"sku":"a","n":2},{"sku":"b","n":1},{"sku":"c","n":0}],"id":"o-1","note":"line \\"one\\"\\nline two\\ttab","total":3}',
        'query': (r) => r.json('query.b') === 'x y',
        'defaults untouched': () => defaults.lines.length === 0 && defaults.meta.source === 'load',
        'values': () => Object.values({ x: 1, y: 2 }).reduce((a, b) => a + b) === 3,
    });

    const counts = {};
    for (const letter of 'banana') counts[letter] = (counts[letter] || 0) + 1;
    const numbered = { 2: 'two', b: 'b', 1: 'one' };
    console.log(JSON.stringify(counts), JSON.stringify(numbered), JSON.stringify([undefined, null, () => 1]));
    check(http.post(`${BASE}/echo`, JSON.stringify(counts, null, 2)), { 'indented': (r) => r.json('body').includes('\n  "b": 1') });
}
