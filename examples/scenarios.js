// Several kinds of load in one test, each with its own function, its own pace and
// its own thresholds.
import http from 'k6/http';
import { check, sleep } from 'k6';
import exec from 'k6/execution';

export const options = {
  scenarios: {
    browsing: {
      executor: 'constant-vus',
      exec: 'browse',
      vus: 5,
      duration: '2s',
      gracefulStop: '2s',
    },
    orders: {
      executor: 'per-vu-iterations',
      exec: 'order',
      vus: 2,
      iterations: 3,
      startTime: '500ms',
      maxDuration: '20s',
      env: { CURRENCY: 'EUR' },
      tags: { team: 'checkout' },
    },
    cleanup: {
      executor: 'shared-iterations',
      exec: 'cleanup',
      vus: 1,
      iterations: 1,
      startTime: '2s',
      maxDuration: '20s',
    },
  },
  thresholds: {
    checks: ['rate==1'],
    'iterations{scenario:browsing}': ['count>0'],
    'iterations{team:checkout}': ['count==6'],
    'iterations{scenario:cleanup}': ['count==1'],
  },
};

const base = __ENV.TARGET;

export function browse() {
  check(http.get(`${base}/size/1000`), { browsed: (r) => r.status === 200 });
  sleep(0.05);
}

export function order() {
  const body = JSON.stringify({ user: exec.vu.idInTest, currency: __ENV.CURRENCY });
  const res = http.post(`${base}/echo`, body, { headers: { 'Content-Type': 'application/json' } });
  check(res, { ordered: (r) => JSON.parse(r.json('body')).currency === 'EUR' });
}

export function cleanup() {
  check(http.del(`${base}/status/204`), { cleaned: (r) => r.status === 204 });
}
