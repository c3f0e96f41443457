// blocks: closure stored in module state
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const later = [];

export const options = { vus: 1, iterations: 3 };

export default function () {
  const turn = __ITER;
  later.push((suffix) => http.get(`${BASE}/echo?turn=${turn}${suffix}`));
  later.forEach((run, i) => {
    check(run('x'), { 'each knows its own turn': (r) => r.json('query.turn') === `${i}x` });
  });
}
