import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';

const load = { smoke: { rate: 10, duration: '1s' }, peak: { rate: 1000, duration: '10m' } };
const profile = load[__ENV.PROFILE || 'smoke'];

export const options = {
  discardResponseBodies: true,
  scenarios: {
    open: { executor: 'constant-arrival-rate', ...profile, timeUnit: '1s', preAllocatedVUs: 3, maxVUs: 5, tags: { kind: 'open' } },
  },
};

export default function () {
  const res = http.get(http.url`${__ENV.TARGET}/size/${10 + exec.scenario.iterationInTest}`);
  check(res, { 'no body': (r) => r.body === null, 'length': (r) => r.headers['Content-Length'].length === 2 });
}
