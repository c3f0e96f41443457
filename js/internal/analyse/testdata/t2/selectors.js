import http from 'k6/http';
import { check } from 'k6';
import { Trend } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const listed = new Trend('listed');

export const options = { iterations: 4 };

export default function () {
  const list = http.get(`${BASE}/gzip`);
  const count = list.json('items.#');
  const name = list.json('items.17.name');
  const even = list.json('items.17.even');
  const missing = list.json('items.9999.name');
  const third = list.json('items')[2];
  listed.add(count);

  const res = http.post(`${BASE}/echo`, JSON.stringify({ count, name, even, missing, third, none: null }), {
    headers: { 'Content-Type': 'application/json' },
  });
  check(res, {
    'types survive': (r) =>
      r.json('body') === '{"count":200,"name":"item 17","even":false,"third":{"id":2,"name":"item 2","even":true},"none":null}',
    'undefined is dropped': (r) => !r.json('body').includes('missing'),
    'deep': (r) => r.json('headers.Content-Type') === 'application/json',
  });
}
