import http from 'k6/http';
import { check } from 'k6';
import { parseHTML } from 'k6/html';

export const options = { iterations: 1 };

export default function () {
  const page = http.get(`${__ENV.TARGET}/login`);
  const doc = parseHTML(page.body);
  check(doc.find('input'), { 'three inputs': (s) => s.size() === 3, 'names': (s) => s.map((i, el) => el.attr('name') || '').join() === 'user,password,' });
  const res = page.submitForm({ formSelector: 'form', fields: { user: 'ada', password: 'secret' } });
  check(res, { 'logged in': (r) => r.status === 200 && !!r.json('token') });
}
