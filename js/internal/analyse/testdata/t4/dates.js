import http from 'k6/http';
import { check, sleep } from 'k6';
import { Trend } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const DAY = 24 * 60 * 60 * 1000;
const total = new Trend('total_ms', true);

export const options = { iterations: 3 };

function two(n) {
    return n < 10 ? '0' + n : '' + n;
}

function day(date) {
    return `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

export default function () {
    const start = new Date();
    const from = new Date(Date.UTC(2024, 1, 28, 12, 30));
    const until = new Date(from.getTime() + 2 * DAY);
    let url = `${BASE}/echo?from=${day(from)}`;
    url += `&until=${day(until)}&weekday=${until.getUTCDay()}`;
    const res = http.get(url);
    check(res, {
        'from': (r) => r.json('query.from') === '2024-02-28',
        'leap day is passed': (r) => r.json('query.until') === '2024-03-01',
        'friday': (r) => r.json('query.weekday') === '5',
        'iso': () => from.toISOString() === '2024-02-28T12:30:00.000Z',
        'json': () => JSON.stringify({ d: until }) === '{"d":"2024-03-01T12:30:00.000Z"}',
        'parsed': () => new Date('2024-02-28T12:30:00Z').valueOf() === from.valueOf() && Date.parse('2024-02-28') < +from,
    });
    sleep(0.003);
    let spent = new Date() - start;
    if (spent < 0) spent = 0;
    total.add(spent);
}
