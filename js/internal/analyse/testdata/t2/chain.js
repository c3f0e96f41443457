import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Counter } from 'k6/metrics';
import { paths, json } from './lib/api.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const created = new Counter('created');

export const options = {
  scenarios: {
    crud: { executor: 'per-vu-iterations', vus: 2, iterations: 2, exec: 'crud' },
  },
  thresholds: { created: ['count==4'] },
};

export function crud() {
  const id = `${__VU}-${__ITER}-${Math.floor(Math.random() * 1000)}`;

  group('create', function () {
    const made = http.post(BASE + paths.items, JSON.stringify({ id: id, name: 'new' }), json);
    const stored = JSON.parse(made.json('body'));
    created.add(1);

    group('read', function () {
      const read = http.get(`${BASE}${paths.items}?id=${stored.id}`);
      check(read, { 'reads the new one': (r) => r.json('query.id') === id });

      group('change', function () {
        const changed = http.patch(`${BASE}${paths.items}?id=${read.json('query.id')}`, JSON.stringify({ name: stored.name + 'er' }), json);
        check(changed, { 'renamed': (r) => JSON.parse(JSON.parse(r.body).body).name === 'newer' });
      });
    });

    const gone = http.del(`${BASE}${paths.items}?id=${stored.id}`, null, json);
    check(gone, { 'deleted': (r) => r.status === 200 && r.json('method') === 'DELETE' });
  });
  sleep(0.01);
}
