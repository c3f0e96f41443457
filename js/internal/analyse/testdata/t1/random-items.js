import http from 'k6/http';
import { check, sleep } from 'k6';
import { randomItem, randomIntBetween, randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  scenarios: { shop: { executor: 'per-vu-iterations', vus: 2, iterations: 4 } },
};

const categories = ['books', 'music', 'garden', 'tools'];

export default function () {
  const category = randomItem(categories);
  const page = randomIntBetween(1, 9);
  const res = http.get(`${BASE}/echo?category=${category}&page=${page}&q=${randomString(6)}`, {
    tags: { name: '/echo?category=...' },
  });
  check(res, {
    'status 200': (r) => r.status === 200,
    'category came back': (r) => r.json('query.category') === category,
    'page came back': (r) => r.json('query.page') === `${page}`,
    'six letters': (r) => r.json('query.q').length === 6,
  });
  sleep(randomIntBetween(1, 3) / 200);
}
