import http from 'k6/http';
import { check, sleep } from 'k6';

// The server under test. `jsload run --with-target` starts one and sets TARGET.
const target = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  vus: 5,
  duration: '5s',
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500'],
  },
};

export default function () {
  const res = http.get(`${target}/ok`);
  check(res, { 'status is 200': (r) => r.status === 200 });
  sleep(0.5);
}
