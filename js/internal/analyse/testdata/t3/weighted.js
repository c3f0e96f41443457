import http from 'k6/http';
import { check, group, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: { mix: { executor: 'per-vu-iterations', vus: 2, iterations: 10 } },
};

function browse() {
  group('browse', () => {
    check(http.get(`${BASE}/size/256`), { 'browse ok': (r) => r.status === 200 });
  });
}

function search(term) {
  const res = http.get(`${BASE}/echo?q=${term}`, { tags: { name: 'search' } });
  return check(res, { 'search ok': (r) => r.json('query.q') === term });
}

function buy() {
  const res = http.post(`${BASE}/echo`, JSON.stringify({ buy: true }));
  check(res, { 'buy ok': (r) => r.status === 200 });
}

export default function () {
  const roll = Math.random();
  if (roll < 0.6) {
    browse();
  } else if (roll < 0.9) {
    search(roll < 0.75 ? 'lamp' : 'chair');
  } else {
    buy();
  }
  sleep(0.002);
}
