import http from 'k6/http';
import { check } from 'k6';
import { Rate, Counter } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const errorRate = new Rate('errors');
const good = new Counter('good_answers');

export const options = {
  vus: 2,
  iterations: 6,
  thresholds: { errors: [{ threshold: 'rate<=1', abortOnFail: true, delayAbortEval: '5s' }] },
};

export default function () {
  const fine = http.get(`${BASE}/ok`);
  check(fine, { fine: (r) => r.status === 200 }) || errorRate.add(1);
  fine.status === 200 && good.add(1, { from: 'ok' });

  const bad = http.get(`${BASE}/status/503`);
  const passed = check(bad, { 'bad is 200': (r) => r.status === 200 });
  errorRate.add(!passed);
  passed || console.warn('as was to be expected:', bad.status);
  bad.error_code !== 0 && bad.status > 500 && good.add(0);
}
