import http from 'k6/http';
import { check, fail, group, sleep } from 'k6';

// The server under test. `jsload run --with-target` starts one and sets TARGET.
const target = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  vus: 5,
  duration: '5s',
  thresholds: {
    checks: ['rate>0.99'],
    http_req_failed: ['rate<0.01'],
    'http_req_duration{name:create}': ['p(95)<500'],
  },
};

// Runs once before the load: find out early that the server is not there.
export function setup() {
  const res = http.get(`${target}/ok`);
  if (res.status !== 200) {
    fail(`${target} is not ready: status ${res.status} ${res.error}`);
  }
  return { started: new Date().toISOString() };
}

export default function (data) {
  const params = (name) => ({ headers: { 'Content-Type': 'application/json' }, tags: { name } });

  group('items', () => {
    const item = { name: `item ${__VU}-${__ITER}`, since: data.started };
    const created = http.post(`${target}/echo`, JSON.stringify(item), params('create'));
    check(created, {
      'created': (r) => r.status === 200,
      'item came back': (r) => JSON.parse(r.json('body')).name === item.name,
    });

    const missing = http.get(`${target}/status/404`, {
      tags: { name: 'missing' },
      responseCallback: http.expectedStatuses(404),
    });
    check(missing, { 'unknown item is 404': (r) => r.status === 404 });
  });
  sleep(0.5);
}
