import http from 'k6/http';
import { check, group } from 'k6';
import { findBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 2, iterations: 4 };

export default function () {
  group('Log in by the page', () => {
    const page = http.get(`${BASE}/login`);
    const action = findBetween(page.body, 'action="', '"');
    const field = findBetween(page.body, 'input name="', '"');
    const sent = http.post(`${BASE}${action}`, { [field]: 'carol', password: 'secret' });
    check(sent, { 'form accepted': (r) => r.status === 200 });
    const token = JSON.parse(sent.body)['token'];
    const res = http.get(`${BASE}/private`, { headers: { Authorization: `Bearer ${token}` }, tags: { field } });
    check(res, { 'carol': (r) => r.json('user') === 'carol' });
  });
}
