// Iterations that end by an exception are counted, and logged.
import http from 'k6/http';
import { check, fail, group } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 5 };

export default function () {
  const res = http.get(`${BASE}/status/${200 + __ITER}`);
  if (__ITER === 1) {
    fail(`iteration ${__ITER} has status ${res.status}`);
  }
  group('inner', () => {
    if (__ITER === 2) {
      throw new Error('thrown in a group, status ' + res.status);
    }
    http.get(`${BASE}/ok`);
  });
  if (__ITER === 3) throw 'only text';
  if (__ITER === 4) throw new TypeError(`no ${typeof res.status} wanted`);
  check(res, { 'first goes through': (r) => r.status === 200 });
}
