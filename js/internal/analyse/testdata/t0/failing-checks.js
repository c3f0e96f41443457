// Checks that fail are as much a result as those that hold.
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  iterations: 3,
  thresholds: { 'checks{want:no}': ['rate==0'], 'checks{want:yes}': ['rate==1'] },
};

export default function () {
  const res = http.get(`${BASE}/status/500`, {
    headers: { 'X-Empty': '', 'x-lower-case': 'yes', 'X-Number': 12 },
    cookies: { theme: 'dark', lang: { value: 'en', replace: true } },
  });
  check(res, { 'is fine': (r) => r.status < 400, 'is empty': (r) => !r.body, never: false, 'is zero': 0 }, { want: 'no' });
  check(res, {
    'is broken': (r) => r.status === 500 && r.status_text === '500 Internal Server Error',
    'a constant': true,
    'says so': (r) => r.body === '500',
    'protocol': (r) => r.proto === 'HTTP/1.1',
    'request is kept': (r) => r.request.method === 'GET' && r.request.headers['X-Number'][0] === '12',
  }, { want: 'yes' });
  check(null, { 'of nothing': (v) => v === null }, { want: 'yes' });
}
