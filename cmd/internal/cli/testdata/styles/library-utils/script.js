import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { randomIntBetween, randomItem, randomString, uuidv4, findBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';
import { textSummary, jUnit } from "https://jslib.k6.io/k6-summary/0.0.2/index.js";
import { htmlReport } from 'https://raw.githubusercontent.com/benc-uk/k6-reporter/main/dist/bundle.js';
import { tagWithCurrentStageIndex } from 'https://jslib.k6.io/k6-utils/1.3.0/index.js';

export const options = {
  scenarios: {
    ramp: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '1s', target: 2 }], gracefulRampDown: '0s' },
  },
  thresholds: { checks: ['rate>0.99'], 'http_req_duration{name:order}': ['p(95)<30000'] },
};

const colours = ['red', 'green', 'blue'];

export default function () {
  tagWithCurrentStageIndex();
  group('order', () => {
    const order = { id: uuidv4(), name: randomString(8), colour: randomItem(colours), count: randomIntBetween(1, 5) };
    const res = http.post(`${__ENV.TARGET}/echo`, JSON.stringify(order), { headers: { 'Content-Type': 'application/json' }, tags: { name: 'order' } });
    check(res, {
      'status is 200': (r) => r.status === 200,
      'method came back': (r) => findBetween(r.body, '"method":"', '"') === 'POST',
      'order came back': (r) => JSON.parse(r.json('body')).id === order.id,
    });
  });
  sleep(randomIntBetween(1, 2) / 10);
}

export function handleSummary(data) {
  return {
    'report.html': htmlReport(data),
    'junit.xml': jUnit(data),
    stdout: textSummary(data, { indent: ' ', enableColors: false }),
  };
}
