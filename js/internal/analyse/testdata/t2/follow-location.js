import http from 'k6/http';
import { check, group } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 2, iterations: 4 };

const stay = { redirects: 0 };

export default () => {
  const first = http.get(`${BASE}/redirect/3`, stay);
  const second = http.get(BASE + first.headers.Location, stay);
  const third = http.get(BASE + second.headers['Location'], { ...stay, tags: { hop: 'third' } });
  group('the end', () => {
    const last = http.get(`${BASE}${third.headers.Location}`);
    check(last, { 'arrived': (r) => r.status === 200 && r.body === 'ok' });
  });
  check(first, { 'first hop': (r) => r.headers.Location === '/redirect/2' });
  check(third, { 'no such header': (r) => r.headers['X-Nothing'] === undefined });
};
