import http from 'k6/http';
import encoding, { b64encode, b64decode } from 'k6/encoding';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { scenarios: { jar: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };

const basic = (user, password) => 'Basic ' + encoding.b64encode(`${user}:${password}`);

export default function () {
  const jar = http.cookieJar();
  jar.set(BASE, 'visitor', `v${__VU}`, { path: '/' });
  jar.set(BASE, 'turn', String(__ITER));

  const res = http.get(`${BASE}/cookies?extra=1`, { headers: { Authorization: basic('me', 'pässword') } });
  const seen = jar.cookiesForURL(res.url);
  check(res, {
    'visitor was sent': (r) => r.json('cookies.visitor') === `v${__VU}`,
    'turn was sent': (r) => r.json('cookies.turn') === `${__ITER}`,
    'extra is kept': () => seen.extra[0] === '1',
    'three in the jar': () => Object.keys(seen).length === 3,
  });
  jar.delete(BASE, 'turn');
  check(http.get(`${BASE}/cookies`), { 'turn is gone': (r) => r.json('cookies.turn') === undefined });
  jar.clear(BASE);
  check(http.get(`${BASE}/cookies`), { 'all gone': (r) => Object.keys(r.json('cookies')).length === 0 });

  const packed = b64encode('subjects?_d=1>', 'rawurl');
  check(http.post(`${BASE}/echo`, packed), {
    'url alphabet': (r) => r.json('body') === 'c3ViamVjdHM_X2Q9MT4',
    'and back': (r) => b64decode(r.json('body'), 'rawurl', 's') === 'subjects?_d=1>',
  });
}
