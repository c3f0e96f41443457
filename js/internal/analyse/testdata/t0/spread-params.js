import http from 'k6/http';
import { check } from 'k6';
import { common, paths, json as asJson } from './lib/settings.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const { echo, small } = paths;
const [firstColour, , lastColour = 'black'] = ['red', 'green', 'blue'];

export const options = { iterations: 3, userAgent: 'spread/1.0' };

const params = {
    ...common,
    headers: { ...common.headers, ...asJson, 'X-Colour': firstColour },
    timeout: '10s',
};

export default function () {
    const { status } = { status: 200 };
    const body = { ...{ colour: firstColour, size: 'L' }, size: 'XL' };
    const res = http.post(BASE + echo, JSON.stringify(body), params);
    check(res, {
        'right status': (r) => r.status === status,
        'later keys win': (r) => r.json('body') === '{"colour":"red","size":"XL"}',
        'spread headers': ({ body }) => body.includes('"X-Colour":"red"') && body.includes('"X-Client":"settings"'),
        'user agent': (r) => r.json('headers.User-Agent') === 'spread/1.0',
    });

    http.get(BASE + small, { ...params, headers: { 'X-Colour': lastColour }, tags: { ...params.tags, step: 'last' } });
}
