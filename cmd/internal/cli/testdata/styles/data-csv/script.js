import http from 'k6/http';
import { check } from 'k6';
import { SharedArray } from 'k6/data';
import { scenario, vu } from 'k6/execution';

const users = new SharedArray('users', function () {
  return open('./users.csv').split(/\r?\n/).slice(1).filter(Boolean).map((line) => {
    const [name, city] = line.split(',');
    return { name, city };
  });
});

export const options = {
  scenarios: { each: { executor: 'shared-iterations', vus: 2, iterations: users.length, maxDuration: '10s' } },
};

export default function () {
  const user = users[scenario.iterationInTest];
  const res = http.get(`${__ENV.TARGET}/echo?name=${encodeURIComponent(user.name)}&city=${user.city}`, { tags: { name: 'user' } });
  check(res, { 'right user': (r) => r.json().query.name === user.name });
  vu.metrics.tags.city = user.city;
}
