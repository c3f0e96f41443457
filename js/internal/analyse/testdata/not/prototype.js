// blocks: change of a built-in prototype
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

String.prototype.includes = function () {
  return true;
};

export const options = { iterations: 2 };

export default function () {
  const res = http.get(`${BASE}/ok`);
  check(res, { 'everything is in it': (r) => r.body.includes('not there') });
}
