import http from 'k6/http';
import { check, sleep } from 'k6';

export let options = {
  stages: [
    { duration: '0.3s', target: 2 },
    { duration: '0.2s', target: 0 },
  ],
  thresholds: {
    http_req_duration: ['p(95)<2000'],
    'http_req_failed': ['rate<0.01'],
  },
};

const BASE_URL = __ENV.TARGET || 'http://127.0.0.1:8000';

export default function () {
  const res = http.get(`${BASE_URL}/ok`);
  check(res, {
    'is status 200': (r) => r.status === 200,
    'body is ok': (r) => r.body.includes('ok'),
    'fast enough': (r) => r.timings.duration < 2000,
  });
  sleep(0.05);
}
