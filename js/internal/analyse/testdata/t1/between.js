import http from 'k6/http';
import { check } from 'k6';
import * as utils from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import { Counter, Trend } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = {
  vus: 1,
  iterations: 3,
  summaryTrendStats: ['min', 'med', 'max', 'p(99)', 'count'],
};

const metrics = {
  forms: new Counter('login_forms'),
  length: new Trend('login_form_length'),
};

export default function () {
  const page = http.get(`${BASE}/login`);
  const title = utils.findBetween(page.body, '<title>', '</title>');
  metrics.forms.add(1, { title });
  metrics.length.add(page.body.length);
  check(page, {
    'has a title': () => title === 'Login',
    'has a form': (r) => utils.findBetween(r.body, 'method="', '"') === 'post',
    'all inputs': (r) => utils.findBetween(r.body, 'type="', '"', true).length === 2,
  });
  http.post(`${BASE}/echo`, utils.randomItem(['yes', 'no']), { headers: { 'X-Pick': utils.randomIntBetween(5, 6) } });
}
