// blocks: setup data changed and seen by the next iteration
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 3 };

export function setup() {
  return { queue: ['a', 'b', 'c'] };
}

export default function (data) {
  const mine = data.queue.shift();
  const res = http.get(`${BASE}/echo?mine=${mine}`);
  check(res, { 'one after another': (r) => r.json('query.mine') === 'abc'[__ITER] });
}
