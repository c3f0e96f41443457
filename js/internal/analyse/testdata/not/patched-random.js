// blocks: Math.random replaced
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
let state = 42;

Math.random = function () {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
};

export const options = { vus: 1, iterations: 3 };

export default function () {
  const before = state;
  const pick = Math.floor(Math.random() * 100);
  const res = http.get(`${BASE}/echo?pick=${pick}`);
  check(res, { 'own generator': () => state !== before && pick >= 0 && pick < 100 });
  console.log(`picked ${pick}`);
}
