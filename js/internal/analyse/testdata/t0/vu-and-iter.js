import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const REGION = __ENV.REGION || 'north';

export const options = {
  scenarios: {
    walkers: { executor: 'per-vu-iterations', vus: 3, iterations: 3, maxDuration: '10s' },
  },
};

export default function () {
  const res = http.post(
    `${BASE}/echo?vu=${__VU}&iter=${__ITER}`,
    JSON.stringify({ user: `user-${__VU}`, turn: __ITER, region: REGION, pair: [__VU, __ITER], next: __ITER + 1 }),
    {
      headers: { 'Content-Type': 'application/json', 'X-Worker': `${__VU}`, 'X-Region': REGION },
      tags: { name: 'echo of a walker', region: REGION },
    },
  );
  check(res, {
    'knows the VU': (r) => r.json('query.vu') === `${__VU}`,
    'knows the turn': (r) => r.json('query.iter') === String(__ITER),
    'header went along': (r) => r.json('headers.X-Worker') == __VU,
    'region went along': (r) => r.json('headers.X-Region') === REGION,
  });
}
