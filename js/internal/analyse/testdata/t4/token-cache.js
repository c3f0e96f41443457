import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: { cached: { executor: 'per-vu-iterations', vus: 2, iterations: 5 } },
};

// One token for each VU, renewed every third use.
let token = null;
let uses = 0;

function authorize() {
  if (token && uses < 3) {
    uses++;
    return token;
  }
  const res = http.post(`${BASE}/login`, { user: 'vu' + __VU, password: 'secret' }, { tags: { name: 'login' } });
  if (res.status !== 200) {
    token = null;
    return null;
  }
  token = res.json('token');
  uses = 1;
  return token;
}

export default function () {
  const bearer = authorize();
  if (bearer === null) return;
  const res = http.get(`${BASE}/private`, { headers: { Authorization: `Bearer ${bearer}` } });
  check(res, { 'own name': (r) => r.json('user') === `vu${__VU}` });
  sleep(0.002);
}
