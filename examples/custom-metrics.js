// Metrics of one's own: they appear in the summary beside the built-in ones and
// take thresholds in the same way.
import http from 'k6/http';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const bytes = new Counter('bytes_of_items');
const newest = new Gauge('newest_item');
const even = new Rate('even_items');
const wait = new Trend('time_to_first_byte', true);

export const options = {
  vus: 2,
  iterations: 10,
  thresholds: {
    bytes_of_items: ['count==10000'],
    even_items: ['rate==0.5'],
    time_to_first_byte: ['p(95)<5000'],
    'time_to_first_byte{kind:item}': ['avg<5000'],
  },
};

export default function () {
  const res = http.get(`${__ENV.TARGET}/size/1000`, { tags: { name: 'item' } });
  bytes.add(res.body.length);
  wait.add(res.timings.waiting, { kind: 'item' });

  const items = http.get(`${__ENV.TARGET}/zstd`).json('items');
  newest.add(items[items.length - 1].id);
  for (const item of items) {
    even.add(item.even);
  }
}
