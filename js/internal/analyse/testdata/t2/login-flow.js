import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: { members: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } },
  thresholds: { checks: ['rate>0.99'] },
};

export default function () {
  const login = http.post(
    `${BASE}/login`,
    JSON.stringify({ user: `member${__VU}`, password: 'secret' }),
    { headers: { 'Content-Type': 'application/json' } },
  );
  check(login, { 'logged in': (r) => r.status === 200, 'has a token': (r) => r.json('token') !== '' });

  const token = login.json('token');
  const me = http.get(`${BASE}/private`, { headers: { Authorization: `Bearer ${token}` } });
  check(me, { 'it is me': (r) => r.json('user') === `member${__VU}` });
  sleep(0.01);
}
