import http from 'k6/http';
import { check, sleep } from 'k6';
import { Trend } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const pause = new Trend('pause_ms', true);

export const options = { vus: 1, iterations: 4 };

export default function () {
  const begin = Date.now();
  sleep(0.02);
  const took = Date.now() - begin;
  pause.add(took);

  const now = new Date();
  const payload = {
    at: now.toISOString(),
    unix: Math.floor(begin / 1000),
    year: new Date(0).getUTCFullYear(),
    event: 'tick ' + String(__ITER),
    count: Number('12') + parseInt('30', 10) + parseFloat('0.5'),
  };
  const res = http.post(BASE + '/echo', JSON.stringify(payload), { headers: { 'Content-Type': 'application/json' } });
  check(res, {
    'slept long enough': () => took >= 15,
    'date is ISO': (r) => r.json('body').includes('"at":"20'),
    'year of the epoch': (r) => r.json('body').includes('"year":1970'),
    'sum': (r) => r.json('body').includes('"count":42.5'),
  });
}
