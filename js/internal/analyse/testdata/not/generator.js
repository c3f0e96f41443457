// blocks: generator
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

function* pages(limit) {
  let page = 0;
  while (page < limit) {
    const skip = yield `${BASE}/echo?page=${page}`;
    page += skip || 1;
  }
}

export const options = { iterations: 2 };

export default function () {
  let n = 0;
  for (const url of pages(3)) {
    check(http.get(url), { 'in order': (r) => r.json('query.page') === `${n}` });
    n++;
  }
}
