// blocks: call of a property whose name is computed
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const verbs = ['get', 'post', 'put'];

const actions = {
  get: (url) => http.get(url),
  post: (url) => http.post(url, 'x'),
};

export const options = { vus: 1, iterations: 3 };

export default function () {
  const verb = verbs[__ITER % verbs.length];
  const res = http[verb](`${BASE}/echo`);
  check(res, { verb: (r) => r.json('method').toLowerCase() === verb });
  const name = JSON.parse(`"${verb}"`);
  if (actions[name]) actions[name](`${BASE}/echo?again=1`);
}
