import http from 'k6/http';
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';

// The server under test. `jsload run --with-target` starts one and sets TARGET.
const target = __ENV.TARGET || 'http://127.0.0.1:8000';

// Made once and shared by all virtual users. Put open('./users.csv') in place of
// the text to read a file that lies beside the script.
const users = new SharedArray('users', () => {
  const csv = `name,city
ada,London
grace,New York
edsger,Rotterdam
barbara,Los Angeles
`;
  const [head, ...rows] = csv.trim().split('\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((key, i) => [key, row[i]])));
});

export const options = {
  scenarios: {
    everyone_once: { executor: 'shared-iterations', vus: 2, iterations: users.length, maxDuration: '30s' },
  },
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  // Each user is taken exactly once, however many virtual users there are.
  const user = users[exec.scenario.iterationInTest];
  const res = http.post(`${target}/echo`, JSON.stringify(user), { tags: { name: 'register' } });
  check(res, { 'registered': (r) => r.status === 200 });
  sleep(0.1);
}
