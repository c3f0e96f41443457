import http from 'k6/http';
import { check } from 'k6';
import data from './data/products.json';
const raw = JSON.parse(open('./data/products.json'));
const picture = open('data/pixel.bin', 'b');

export const options = { vus: 1, iterations: raw.length };

export default function () {
  const { sku, tags: [first, ...rest] = [] } = data[__ITER % data.length];
  const form = { sku, picture: http.file(picture, 'pixel.bin', 'application/octet-stream') };
  const res = http.post(`${__ENV.TARGET}/echo`, form);
  check(res, {
    'multipart': (r) => r.json('headers.Content-Type').startsWith('multipart/form-data; boundary='),
    'has the sku': (r) => r.json('body').includes(sku) && r.json('body').includes('pixel.bin'),
    'tags': first === 'new' && rest.length === sku.length - 3,
  });
}
