import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const LIMIT = parseInt(__ENV.LIMIT || '1000', 10);

export const options = { vus: 1, iterations: 4 };

function must(res, status) {
  if (res.status === status) return res;
  console.error('wanted', status, 'got', res.status);
  exec.test.abort(`unexpected status ${res.status}`);
}

function quota() {
  if (exec.scenario.iterationInTest >= LIMIT) {
    exec.test.fail('over the limit');
  }
  return LIMIT - exec.scenario.iterationInTest;
}

export default function () {
  const left = quota();
  const res = must(http.get(`${BASE}/ok`, { tags: { phase: left > 998 ? 'early' : 'late' } }), 200);
  const more = must(http.get(`${BASE}/echo?left=${left}`), 200);
  check(res, { ok: (r) => r.body === 'ok' });
  check(more, { left: (r) => r.json('query.left') === `${left}` && left <= LIMIT });
}
