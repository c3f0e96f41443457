import http from 'k6/http';
import { parseHTML } from 'k6/html';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 2 };

export default function () {
  const page = http.get(`${BASE}/login`);
  const doc = parseHTML(page.body);
  const inputs = [];
  doc.find('form input').each((i, el) => {
    const name = el.getAttribute('name');
    if (name) inputs.push(name);
  });
  check(inputs, { 'two fields': (list) => list.join() === 'user,password' });

  const title = page.html('title').text();
  const res = page.submitForm({ fields: { user: title, password: 'secret' } });
  check(res, { 'logged in as the title': (r) => r.json('user') === 'Login' });
}
