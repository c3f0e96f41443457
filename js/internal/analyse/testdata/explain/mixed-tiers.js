// Two functions are plain, the third is not.
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: {
    plain: { executor: 'per-vu-iterations', exec: 'plain', vus: 1, iterations: 3 },
    logic: { executor: 'per-vu-iterations', exec: 'logic', vus: 1, iterations: 3 },
    async: { executor: 'per-vu-iterations', exec: 'later', vus: 1, iterations: 3 },
  },
};

export function plain() {
  check(http.get(`${BASE}/ok`), { 'plain ok': (r) => r.status === 200 });
}

export function logic() {
  const codes = [200, 201, 204];
  for (const code of codes) {
    const res = http.get(`${BASE}/status/${code}`);
    if (!check(res, { 'logic status': (r) => r.status === code })) break;
  }
}

export async function later() {
  const res = await http.asyncRequest('GET', `${BASE}/ok`);
  check(res, { 'later ok': (r) => r.status === 200 });
  await new Promise((resolve) => setTimeout(resolve, 2));
}
