// blocks: an init object changed through an alias
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const shared = { headers: { 'X-Turn': 'none' } };
const catalogue = [{ id: 1, params: shared }, { id: 2, params: shared }];

export const options = { vus: 1, iterations: 4 };

export default function () {
  const entry = catalogue[__ITER % catalogue.length];
  const res = http.get(`${BASE}/echo?id=${entry.id}`, shared);
  check(res, { 'turn of the one before': (r) => r.json('headers.X-Turn') === (__ITER === 0 ? 'none' : `${__ITER - 1}`) });
  // what is seen as entry.params here is shared above
  const alias = entry.params.headers;
  alias['X-Turn'] = `${__ITER}`;
}
