import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 3 };

export default function () {
  const [ann, bob] = http.batch([
    ['POST', `${BASE}/login`, { user: 'ann', password: 'secret' }],
    ['POST', `${BASE}/login`, { user: 'bob', password: 'secret' }],
  ]);
  const both = http.batch({
    a: ['GET', `${BASE}/private`, null, { headers: { Authorization: `Bearer ${ann.json('token')}` } }],
    b: ['GET', `${BASE}/private`, null, { headers: { Authorization: `Bearer ${bob.json().token}` } }],
  });
  check(both, {
    'ann is ann': (all) => all.a.json('user') === 'ann',
    'bob is bob': (all) => all.b.json('user') === 'bob',
  });
  const names = `${both.a.json('user')}+${both.b.json('user')}`;
  check(http.post(`${BASE}/echo`, names), { 'both names': (r) => r.json('body') === 'ann+bob' });
}
