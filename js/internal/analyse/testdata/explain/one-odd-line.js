// Plain except for one expression.
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 3 };

export default function () {
  const name = 'Straße & Ünïcode'.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const res = http.get(`${BASE}/echo?name=${encodeURIComponent(name)}`);
  check(res, { 'accents are gone': (r) => r.json('query.name') === 'Straße & Unicode' });

  const total = Array.from(new Set([3, 1, 3, 2])).sort().join('');
  check(http.get(`${BASE}/echo?total=${total}`), { 'sorted set': (r) => r.json('query.total') === '123' });
}
