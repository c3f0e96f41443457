// blocks: Proxy
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const urls = new Proxy({}, {
  get: (_, name) => `${BASE}/${String(name)}`,
});

export const options = { iterations: 2 };

export default function () {
  check(http.get(urls.ok), { ok: (r) => r.body === 'ok' });
  check(http.get(urls['size/4']), { four: (r) => r.body.length === 4 });
}
