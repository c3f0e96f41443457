import http from 'k6/http';
import { check, sleep } from 'k6';
import exec from 'k6/execution';

// The server under test. `jsload run --with-target` starts one and sets TARGET.
const target = __ENV.TARGET || 'http://127.0.0.1:8000';

// Two kinds of users at once: each scenario has its own function and its own load.
export const options = {
  scenarios: {
    browse: {
      executor: 'constant-vus',
      exec: 'browse',
      vus: 5,
      duration: '5s',
    },
    buy: {
      executor: 'per-vu-iterations',
      exec: 'buy',
      vus: 2,
      iterations: 3,
      startTime: '1s',
      maxDuration: '20s',
      env: { BASKET: '3' },
      tags: { kind: 'buyer' },
    },
  },
  thresholds: {
    'http_req_duration{scenario:browse}': ['p(95)<500'],
    'checks{kind:buyer}': ['rate==1'],
  },
};

export function browse() {
  http.get(`${target}/size/2000`, { tags: { name: 'page' } });
  sleep(0.3);
}

export function buy() {
  for (let i = 0; i < Number(__ENV.BASKET); i++) {
    const res = http.post(`${target}/echo`, `item ${i}`, { tags: { name: 'basket' } });
    check(res, { 'in the basket': (r) => r.status === 200 });
  }
  console.log(`order ${exec.scenario.iterationInTest} of ${exec.scenario.name} is through`);
}
