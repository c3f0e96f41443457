// The smallest useful test: one request, one check, one threshold.
//
//   jsload run --with-target --vus 256 --duration 5s examples/quickstart.js
import http from 'k6/http';
import { check } from 'k6';

export const options = {
  vus: 10,
  duration: '5s',
  thresholds: { checks: ['rate>0.99'] },
};

export default function () {
  const res = http.get(`${__ENV.TARGET}/ok`);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'body is ok': (r) => r.body === 'ok',
  });
}
