import http from 'k6/http';
import { check, sleep } from 'k6';
import encoding from 'k6/encoding';
import { hmac, sha256 } from 'k6/crypto';

let token = null;
const MAX = 3;

function login() {
  if (token) return token;
  for (let attempt = 1; attempt <= MAX; attempt++) {
    const res = http.post(`${__ENV.TARGET}/login`, { user: `u${__VU}`, password: attempt < 2 ? 'wrong' : 'secret' }, {
      responseCallback: http.expectedStatuses({ min: 200, max: 401 }),
    });
    if (res.status === 200) { token = res.json('token'); break; }
    sleep(0.01 * attempt);
  }
  return token;
}

export const options = { vus: 2, iterations: 4 };

export default function () {
  const t = login();
  const signature = hmac('sha256', 'key', t, 'hex');
  const res = http.get(`${__ENV.TARGET}/private`, { headers: { Authorization: `Bearer ${t}`, 'X-Signature': signature } });
  check(res, {
    'private': (r) => r.status === 200,
    'signature': signature.length === 64 && sha256(t, 'base64').length === 44,
    'round trip': encoding.b64decode(encoding.b64encode(t, 'rawurl'), 'rawurl', 's') === t,
  });
  const jar = http.cookieJar();
  jar.set(__ENV.TARGET, 'seen', 'yes');
  check(http.get(`${__ENV.TARGET}/cookies`), { 'cookie': (r) => r.json('cookies.seen') === 'yes' });
}
