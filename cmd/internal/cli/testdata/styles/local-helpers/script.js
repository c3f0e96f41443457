import http from 'k6/http';
import { check, sleep } from 'k6';
import { randomIntBetween, randomItem, uuidv4, findBetween } from './lib/utils/index.js';
import { describe } from './lib/describe.js';

export const options = { iterations: 2, vus: 1 };

export default function () {
  describe('the form', (t) => {
    const res = http.get(`${__ENV.TARGET}/login`);
    t.equal(res.status, 200);
    t.equal(findBetween(res.body, '<title>', '</title>'), 'Login');
  });
  describe('an item', (t) => {
    const id = uuidv4();
    const res = http.get(`${__ENV.TARGET}/echo?id=${id}&kind=${randomItem(['a', 'b'])}`, { tags: { name: 'item' } });
    t.equal(res.json('query.id'), id);
  });
  sleep(randomIntBetween(1, 3) / 100);
}
