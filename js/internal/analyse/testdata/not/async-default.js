// blocks: async function and await
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 2 };

export default async function () {
  const [a, b] = await Promise.all([http.asyncRequest('GET', `${BASE}/ok`), http.asyncRequest('GET', `${BASE}/size/5`)]);
  check(a, { ok: (r) => r.body === 'ok' });
  check(b, { five: (r) => r.body.length === 5 });
}
