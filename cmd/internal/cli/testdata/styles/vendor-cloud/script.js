import http from 'k6/http';
import { check } from 'k6';

export const options = {
  iterations: 1,
  cloud: { name: 'nightly', projectID: 42, distribution: { a: { loadZone: 'x', percent: 100 } } },
  metricSamplesBufferSize: 500,
};

export default function () { check(http.get(`${__ENV.TARGET}/ok`), { ok: (r) => r.status === 200 }); }
