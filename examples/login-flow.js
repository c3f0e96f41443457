// A user who logs in and then works: a token is carried from one answer to the
// next request, and the cookie jar does the same on its own.
import http from 'k6/http';
import { check, fail, sleep } from 'k6';

export const options = {
  vus: 5,
  iterations: 25,
  thresholds: {
    checks: ['rate==1'],
    'http_req_failed{expected_response:true}': ['rate==0'],
  },
};

const base = __ENV.TARGET;

// Runs once, before the load: no reason to start if the server is not there.
export function setup() {
  const res = http.get(`${base}/ok`);
  if (res.status !== 200) {
    fail(`${base} is not ready: status ${res.status} ${res.error}`);
  }
}

export default function () {
  const user = `user-${__VU}-${__ITER}`;

  const stranger = http.get(`${base}/private`, {
    responseCallback: http.expectedStatuses(401),
    tags: { name: 'private before login' },
  });
  check(stranger, { 'strangers are refused': (r) => r.status === 401 });

  const login = http.post(`${base}/login`, { user, password: 'secret' });
  if (!check(login, { 'logged in': (r) => r.status === 200 })) {
    fail(`login: ${login.status}`);
  }

  const byToken = http.get(`${base}/private`, {
    headers: { Authorization: `Bearer ${login.json('token')}` },
    tags: { name: 'private by token' },
  });
  const byCookie = http.get(`${base}/private`, { tags: { name: 'private by cookie' } });
  check(byToken, { 'token is accepted': (r) => r.json('user') === user });
  check(byCookie, { 'cookie is accepted': (r) => r.json('user') === user });

  sleep(0.01);
}
