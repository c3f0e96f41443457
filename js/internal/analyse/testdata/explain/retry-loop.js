import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { iterations: 3 };

function withRetry(request, accept, attempts) {
  let res;
  let left = attempts;
  while (left > 0) {
    try {
      res = request(attempts - left);
      if (accept(res)) return res;
    } catch (err) {
      console.error(`attempt failed: ${err}`);
    }
    left--;
    sleep(0.001 * 2 ** (attempts - left));
  }
  return res;
}

export default function () {
  const res = withRetry(
    (n) => http.get(`${BASE}/status/${n < 2 ? 503 : 200}`, { tags: { name: 'flaky' } }),
    (r) => r.status === 200,
    4,
  );
  check(res, { 'came through': (r) => r.status === 200 });
}
