// blocks: arguments object
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

function path() {
  return '/' + Array.prototype.slice.call(arguments).join('/');
}

export const options = { iterations: 2 };

export default function () {
  check(http.get(BASE + path('size', 12)), { twelve: (r) => r.body.length === 12 });
  check(http.get(BASE + path('ok')), { ok: (r) => r.status === 200 });
}
