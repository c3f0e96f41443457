import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 3 };

const ids = Array.from({ length: 5 }, (_, i) => i * 3);

export default function () {
  const items = http.get(`${BASE}/gzip`).json('items');

  const even = items.filter((it) => it.even);
  const names = even.slice(0, 4).map((it) => it.name);
  const found = items.find((it) => it.id === 42);
  const none = items.find((it) => it.id === -1);
  const sum = items.reduce((total, it) => total + it.id, 0);
  const some = items.some((it) => it.id > 198);
  const every = items.every((it) => typeof it.name === 'string');
  const index = items.findIndex((it) => it.name === 'item 7');
  const sorted = items.slice(10, 15).map((it) => it.id).sort((a, b) => b - a);
  const text = ['a', ...names, 'z'].join('|');
  const flat = [[1, 2], [3], []].flat().concat([4, 5]).reverse();

  const res = http.post(
    `${BASE}/echo`,
    JSON.stringify({ even: even.length, found, none: none === undefined, sum, some, every, index, sorted, text, flat }),
  );
  const back = JSON.parse(res.json('body'));
  check(back, {
    'half is even': (b) => b.even === 100,
    'found': (b) => b.found.name === 'item 42' && b.none,
    'sum': (b) => b.sum === 19900,
    'some and every': (b) => b.some && b.every,
    'index': (b) => b.index === 7,
    'sorted': (b) => b.sorted.join() === '14,13,12,11,10',
    'text': (b) => b.text === 'a|item 0|item 2|item 4|item 6|z',
    'flat': (b) => String(b.flat) === '5,4,3,2,1',
  });

  const urls = ids.map((id) => ['GET', `${BASE}/size/${id}`, null, { tags: { name: 'by id' } }]);
  const answers = http.batch(urls);
  answers.forEach((r, i) => check(r, { 'sizes match': () => r.body.length === ids[i] }));
  check(ids, { 'includes': (l) => l.includes(12) && !l.includes(13) && l.indexOf(9) === 3 });
}
