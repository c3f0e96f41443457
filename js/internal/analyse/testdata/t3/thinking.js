import http from 'k6/http';
import { check, sleep, group } from 'k6';
import { randomItem, randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { scenarios: { t: { executor: 'per-vu-iterations', vus: 2, iterations: 4 } }, minIterationDuration: '5ms' };

const THINK = { fast: [1, 2], slow: [3, 6] };
const PAGES = [10, 20, 30];

function think(mode) {
  const [min, max] = THINK[mode];
  sleep(randomIntBetween(min, max) / 1000);
}

function openPage(size, { mode = 'fast', ...rest } = {}) {
  const res = http.get(`${BASE}/size/${size}`, { tags: { mode, ...rest } });
  check(res, {
    [`page of ${size} opens`]: (r) => r.status === 200,
    'size is right': (r) => {
      if (r.headers['Content-Length'] !== String(size)) return false;
      return r.body.length === size;
    },
  });
  think(mode);
}

export default function () {
  group('visit', () => {
    openPage(40);
    openPage(randomItem(PAGES), { mode: 'slow', depth: 2 });
    if (Math.random() > 0.5) openPage(randomItem(PAGES), { depth: 3 });
  });
}
