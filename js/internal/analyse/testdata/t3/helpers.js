import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: { h: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } },
};

const headers = (token, extra = {}) => ({
  'Content-Type': 'application/json',
  ...(token ? { Authorization: `Bearer ${token}` } : {}),
  ...extra,
});

const url = (path, query) => BASE + path + (query ? '?' + query : '');

function randomUser() {
  return { user: `u${Math.floor(Math.random() * 1000)}`, password: 'secret' };
}

function login(user) {
  const res = http.post(url('/login'), JSON.stringify(user), { headers: headers() });
  check(res, { 'login: 200': (r) => r.status === 200 });
  return res.json('token');
}

function whoAmI(token) {
  const { user } = http.get(url('/private'), { headers: headers(token) }).json();
  return user;
}

function expectStatus(res, want, label) {
  return check(res, { [`${label}: ${want}`]: (r) => r.status === want });
}

export default function () {
  const user = randomUser();
  const token = login(user);
  const name = whoAmI(token);
  check(name, { 'name is right': (n) => n === user.user });

  const res = http.get(url('/echo', `name=${name}`), { headers: headers(token, { 'X-Extra': '1' }) });
  expectStatus(res, 200, 'echo');
  expectStatus(http.get(url('/private'), { headers: headers('nobody') }), 401, 'nobody');
  sleep(0.005);
}
