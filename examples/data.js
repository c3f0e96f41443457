// Test data that all virtual users share: SharedArray reads the file once and
// keeps one copy of it, however many users there are.
import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';
import { SharedArray } from 'k6/data';

const users = new SharedArray('users', () => JSON.parse(open('./data/users.json')).users);

export const options = {
  scenarios: {
    everyUserOnce: {
      executor: 'shared-iterations',
      vus: 3,
      iterations: users.length,
      maxDuration: '30s',
    },
  },
  thresholds: { checks: ['rate==1'], iterations: [`count==${users.length}`] },
};

export default function () {
  const user = users[exec.scenario.iterationInTest];
  const res = http.post(`${__ENV.TARGET}/login`, JSON.stringify({ user: user.name, password: 'secret' }), {
    headers: { 'Content-Type': 'application/json' },
  });
  check(res, { 'is the user of this iteration': (r) => r.json('user') === user.name });
}
