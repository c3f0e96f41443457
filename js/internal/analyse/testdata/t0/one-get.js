import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 2, iterations: 6 };

export default function () {
  const res = http.get(`${BASE}/ok`);
  check(res, { 'status is 200': (r) => r.status === 200 });
  sleep(0.01);
}
