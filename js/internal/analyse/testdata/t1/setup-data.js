import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  vus: 2,
  iterations: 6,
  setupTimeout: '10s',
  teardownTimeout: '5s',
};

export function setup() {
  const login = http.post(`${BASE}/login`, JSON.stringify({ user: 'robot', password: 'secret' }), {
    headers: { 'Content-Type': 'application/json' },
  });
  if (login.status !== 200) {
    throw new Error('no login: ' + login.status);
  }
  return { token: login.json('token'), limits: { pages: [1, 2, 3] }, since: '2024-05-01' };
}

export default function (data) {
  const res = http.get(`${BASE}/private`, { headers: { Authorization: `Bearer ${data.token}` } });
  check(res, { 'robot is known': (r) => r.status === 200 && r.json('user') === 'robot' });

  const page = data.limits.pages[1];
  const list = http.get(`${BASE}/echo?page=${page}&since=${data.since}&of=${data.limits.pages.length}`);
  check(list, {
    'page two': (r) => r.json('query.page') === '2',
    'date kept': (r) => r.json('query.since') === '2024-05-01',
  });
}

export function teardown(data) {
  http.del(`${BASE}/echo`, JSON.stringify({ token: data.token }));
}
