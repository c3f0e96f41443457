// The same script for several loads: PROFILE=load takes the long one.
import http from 'k6/http';
import { check, group } from 'k6';
import { Rate, Trend } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const profiles = {
  smoke: {
    vus: 1,
    iterations: 5,
  },
  load: {
    stages: [
      { duration: '30s', target: 20 },
      { duration: '2m', target: 20 },
      { duration: '10s', target: 0 },
    ],
  },
};

export const options = Object.assign(
  { thresholds: { slow: ['rate<1'], browse_time: ['p(90)<3000'] } },
  profiles[__ENV.PROFILE || 'smoke'],
);

const slow = new Rate('slow');
const browse = new Trend('browse_time', true);
const delays = [0, 1, 2, 4];

export default function () {
  const begin = new Date().getTime();
  group('browse', () => {
    const delay = delays[Math.floor(Math.random() * delays.length)];
    const res = http.get(`${BASE}/delay/${delay}`, { tags: { name: '/delay/{ms}' } });
    slow.add(res.timings.duration > 2000);
    check(res, { 'answers in time': (r) => r.timings.duration < 3000 });
    const [a, b] = http.batch([[ 'GET', `${BASE}/ok` ], [ 'GET', `${BASE}/size/${delay * 10}` ]]);
    check(a, { 'ok': (r) => r.body === 'ok' });
    check(b, { 'sized': (r) => r.body.length === delay * 10 });
  });
  browse.add(new Date().getTime() - begin);
}
