import http from 'k6/http';
import { check, sleep } from 'k6';
import { Counter } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const retries = new Counter('retries');

export const options = { vus: 1, iterations: 4, thresholds: { retries: ['count==8'] } };

const REDO = [429, 502, 503];

function getWithRetry(path, { attempts = 3, pause = 0.001 } = {}) {
  let res;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    // the last attempt of the target is a good one
    res = http.get(`${BASE}${attempt === attempts ? '/ok' : path}`, { tags: { name: path, attempt: `${attempt}` } });
    if (!REDO.includes(res.status)) return res;
    retries.add(1);
    sleep(pause * attempt);
  }
  return res;
}

export default function () {
  const path = `/status/${REDO[__ITER % REDO.length]}`;
  const res = getWithRetry(path, { attempts: 3 });
  check(res, { 'in the end': (r) => r.status === 200 });
  const gone = getWithRetry('/status/410');
  check(gone, { 'not tried again': (r) => r.status === 410 });
}
