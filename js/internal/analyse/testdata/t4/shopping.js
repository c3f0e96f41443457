// A whole visit: log in, look around, fill a cart, pay.
import http from 'k6/http';
import { check, group, sleep, fail } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import { SharedArray } from 'k6/data';
import { vu } from 'k6/execution';
import { randomIntBetween, randomItem } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import { Cart } from './lib/cart.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const users = new SharedArray('users', () => ['ann', 'bob', 'cleo', 'dan'].map((name, i) => ({ name, vip: i % 2 === 0 })));
const paid = new Counter('paid');
const checkout = new Trend('checkout_ms', true);

export const options = {
  scenarios: { visits: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } },
  thresholds: { checks: ['rate==1'], paid: ['count==6'] },
};

let session = { user: null, token: '', visits: 0 };

function login(user) {
  const res = http.post(`${BASE}/login`, JSON.stringify({ user: user.name, password: 'secret' }), {
    headers: { 'Content-Type': 'application/json' },
  });
  if (res.status !== 200) fail(`login of ${user.name}: ${res.status}`);
  session.user = user.name;
  session.token = res.json('token');
}

export function setup() {
  const res = http.get(`${BASE}/gzip`);
  return { items: res.json('items').filter((it) => it.id < 30) };
}

export default function (data) {
  const user = users[vu.idInTest % users.length];
  if (session.user !== user.name) login(user);
  session.visits += 1;
  const params = { headers: { Authorization: `Bearer ${session.token}` } };

  const cart = Cart.empty();
  group('browse', () => {
    const looks = randomIntBetween(1, 3);
    for (let i = 0; i < looks; i++) {
      const item = randomItem(data.items);
      const res = http.get(`${BASE}/echo?item=${item.id}`, { ...params, tags: { name: 'item' } });
      if (check(res, { 'item shown': (r) => r.json('query.item') == item.id })) {
        Cart.add(cart, item, user.vip ? 2 : 1);
      }
      sleep(0.001);
    }
  });

  group('pay', () => {
    const begin = Date.now();
    const bill = { lines: cart.lines, total: Cart.total(cart), visit: session.visits };
    const res = http.post(`${BASE}/echo`, JSON.stringify(bill), params);
    checkout.add(Date.now() - begin);
    let answer;
    try {
      answer = JSON.parse(res.json('body'));
    } catch (e) {
      console.error(`bill of ${user.name} is broken: ${e.message}`);
      return;
    }
    const fine = check(answer, {
      'total': (a) => a.total === Cart.total(cart),
      'visit': (a) => a.visit === __ITER + 1,
    });
    if (fine) paid.add(1, { vip: String(user.vip) });
  });
}
