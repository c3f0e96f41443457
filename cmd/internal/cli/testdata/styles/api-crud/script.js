import http, { batch } from 'k6/http';
import { check, group, fail } from 'k6';
import { Rate, Trend } from 'k6/metrics';

const errorRate = new Rate('errors');
const waiting = new Trend('waiting_time', true);

export const options = { vus: 2, iterations: 4, tags: { suite: 'crud' } };

function headers(token) {
  return { headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' }, tags: { name: 'items' } };
}

export function setup() {
  const res = http.post(__ENV.TARGET + '/login', { user: 'admin', password: 'secret' });
  if (res.status !== 200) { fail('cannot log in'); }
  return { token: res.json('token') };
}

export default function (data) {
  group('create', () => {
    const payload = JSON.stringify({ id: `${__VU}-${__ITER}`, price: 2_000 });
    const res = http.post(__ENV.TARGET + '/echo', payload, headers(data.token));
    const ok = check(res, { 'created': (r) => JSON.parse(r.json().body).price === 2000 });
    errorRate.add(!ok);
    waiting.add(res.timings.waiting);
  });
  group('read', function () {
    const responses = batch([
      ['GET', `${__ENV.TARGET}/echo?page=1`, null, headers(data.token)],
      { method: 'GET', url: `${__ENV.TARGET}/echo?page=2`, params: headers(data.token) },
    ]);
    check(responses[1], { 'second page': (r) => r.json('query.page') === '2' });
  });
  group('delete', () => {
    const res = http.del(__ENV.TARGET + '/echo', null, headers(data.token));
    check(res, { 'method': (r) => r.json('method') === 'DELETE' });
  });
}

export function teardown(data) {
  if (!data.token) { throw new Error('the token is gone'); }
}
