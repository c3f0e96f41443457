import { get, post } from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 4, maxRedirects: 4 };

export default () => {
  // a plain object is sent as a form, its keys sorted
  const form = post(`${BASE}/echo`, { zebra: 'z', apple: 'a b', n: 3, list: ['x', 'y'] });
  check(form, {
    'form was encoded': (r) => r.json('body') === 'apple=a+b&list=x&list=y&n=3&zebra=z',
    'form has its type': (r) => r.json('headers.Content-Type') === 'application/x-www-form-urlencoded',
  });

  check(post(`${BASE}/login`, { user: 'ann', password: 'secret' }), {
    'logged in': (r) => r.status === 200,
    'cookie was set': (r) => r.cookies.session.length === 1 && r.cookies.session[0].http_only,
  });
  // the jar of the VU sends the cookie along
  check(get(`${BASE}/private`), { 'is ann': (r) => r.json('user') === 'ann' });

  check(get(`${BASE}/redirect/2`), { 'followed': (r) => r.status === 200 && r.url === `${BASE}/redirect/0` });
  check(get(`${BASE}/redirect/1?code=307`, { redirects: 0 }), {
    'not followed': (r) => r.status === 307,
    'place is named': (r) => r.headers['Location'] === '/redirect/0?code=307',
  });
};
