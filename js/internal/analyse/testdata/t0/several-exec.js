import http from 'k6/http';
import { check, group, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: {
    readers: {
      executor: 'per-vu-iterations',
      exec: 'read',
      vus: 2,
      iterations: 3,
      tags: { role: 'reader' },
      env: { PAGE: '3' },
    },
    writers: {
      executor: 'shared-iterations',
      exec: 'write',
      vus: 1,
      iterations: 2,
      startTime: '50ms',
      tags: { role: 'writer' },
      gracefulStop: '1s',
    },
  },
  thresholds: {
    'http_reqs{role:reader}': ['count==6'],
    'http_reqs{role:writer}': ['count==4'],
    'checks{scenario:writers}': ['rate>0.99'],
  },
};

export function read() {
  const res = http.get(`${BASE}/echo?page=${__ENV.PAGE}`);
  check(res, { 'page of the scenario': (r) => r.json('query.page') === '3' });
  sleep(0.01);
}

export const write = () => {
  group('write', () => {
    const first = http.put(`${BASE}/echo`, 'draft', { headers: { 'Content-Type': 'text/plain' } });
    check(first, { stored: (r) => r.status === 200 });
    http.patch(`${BASE}/echo`, 'final', { headers: { 'Content-Type': 'text/plain' } });
  });
};
