// blocks: getter with a side effect
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
let reads = 0;

const params = {
  get headers() {
    reads++;
    return { 'X-Reads': `${reads}` };
  },
};

export const options = { vus: 1, iterations: 3 };

export default function () {
  const res = http.get(`${BASE}/echo?before=${params.headers['X-Reads']}`, params);
  check(res, { 'read anew each time': (r) => Number(r.json('headers.X-Reads')) > Number(r.json('query.before')) });
}
