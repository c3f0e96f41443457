import http from 'k6/http';
import { check } from 'k6';
import { uuidv4 } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const options = { iterations: 3 };

function kindOf(res) {
  const type = res.headers['Content-Type'] || '';
  if (/\bjson\b/.test(type)) return 'json';
  return /^text\/(html|plain)/.test(type) ? 'text' : 'other';
}

export default function () {
  const page = http.get(`${BASE}/login`);
  const form = { password: 'secret' };
  if (/<input name="user"/.test(page.body)) form.user = 'rex';

  const login = http.post(`${BASE}/login`, form);
  const token = login.json('token');
  check(login, {
    'accepted': (r) => r.status === 200,
    'token has a dot': () => /^[0-9a-f]+\.[0-9a-f]+$/.test(token),
    'kinds': () => kindOf(login) === 'json' && kindOf(page) === 'text',
    'no uuid': () => !UUID.test(token) && UUID.test('01234567-89AB-cdef-0123-456789abcdef'),
  });

  const id = uuidv4();
  const plain = id.replace(/-/g, '');
  const res = http.post(`${BASE}/echo`, plain.replace(/[a-f]/g, 'x'));
  check(res, {
    'is a uuid': () => UUID.test(id),
    'only digits and x': (r) => /^[\dx]{32}$/.test(r.json('body')),
  });
}
