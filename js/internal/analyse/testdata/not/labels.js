// blocks: label
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { iterations: 2 };

export default function () {
  let requests = 0;
  outer: for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      if (j > i) continue outer;
      if (i === 2) break outer;
      http.get(`${BASE}/echo?i=${i}&j=${j}`, { tags: { name: 'cell' } });
      requests++;
    }
  }
  check(requests, { 'three cells': (n) => n === 3 });
}
