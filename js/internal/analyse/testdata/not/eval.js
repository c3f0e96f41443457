// blocks: eval
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const FORMULA = __ENV.FORMULA || 'turn * 2 + 1';

export const options = { iterations: 3 };

export default function () {
  const turn = __ITER;
  const n = eval(FORMULA);
  const res = http.get(`${BASE}/echo?turn=${turn}&n=${n}`);
  check(res, { computed: (r) => Number(r.json('query.n')) === 2 * turn + 1 });
}
