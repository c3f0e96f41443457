import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const FALLBACK = { user: 'nobody' };

export const options = { vus: 1, iterations: 2, noCookiesReset: true };

export default function () {
  const page = http.get(`${BASE}/cookies?visits=${__ITER}`).json();
  const before = page.cookies.visits ?? 'none';
  const theme = page.cookies.theme || 'light';
  const user = page.account?.user ?? FALLBACK.user;
  const first = page?.list?.[0]?.id;

  const res = http.post(`${BASE}/echo`, JSON.stringify({ before, theme, user, first }), {
    headers: { 'X-Theme': theme, 'X-Before': `${before}` },
  });
  console.log(`visit ${__ITER}: before ${before}, theme ${theme}, user ${user}, first ${first}`);
  check(res, {
    'nobody is logged in': (r) => r.json('body').includes('"user":"nobody"'),
    'no first': (r) => !r.json('body').includes('first'),
    'cookie outlives the iteration': (r) => r.json('headers.X-Before') === `${__ITER > 0 ? __ITER - 1 : 'none'}`,
  });
}
