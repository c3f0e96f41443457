// A long, even load that looks for what grows: the pace is kept by the script,
// bodies are not kept, and the thresholds look at errors and at the slowest.
//
//   jsload run -e DURATION=2h -e VUS=200 examples/soak.js
import http from 'k6/http';
import { check, sleep } from 'k6';

export const options = {
  discardResponseBodies: true,
  scenarios: {
    soak: {
      executor: 'constant-vus',
      vus: Number(__ENV.VUS || 10),
      duration: __ENV.DURATION || '3s',
      gracefulStop: '5s',
    },
  },
  thresholds: {
    http_req_failed: [{ threshold: 'rate<0.01', abortOnFail: true, delayAbortEval: '1s' }],
    http_req_duration: ['p(99)<5000'],
    checks: ['rate>0.99'],
  },
};

const pages = ['/ok', '/size/10000', '/gzip', '/delay/5', '/cookies'];

export default function () {
  const page = pages[__ITER % pages.length];
  const res = http.get(`${__ENV.TARGET}${page}`, { tags: { name: page } });
  check(res, {
    'status is 200': (r) => r.status === 200,
    'no body was kept': (r) => r.body === null,
  });
  sleep(0.1);
}
