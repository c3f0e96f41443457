// Rows of a CSV file as test data, read without a library. Each virtual user
// walks through rows of its own.
import http from 'k6/http';
import { check } from 'k6';
import { SharedArray } from 'k6/data';

const products = new SharedArray('products', () => parse(open('./data/products.csv')));

export const options = {
  vus: 3,
  iterations: 12,
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  const product = products[(__VU - 1 + __ITER * options.vus) % products.length];
  const res = http.get(`${__ENV.TARGET}/echo?sku=${product.sku}&name=${encodeURIComponent(product.name)}`, {
    tags: { name: 'product' },
  });
  check(res, {
    'sku comes back': (r) => r.json('query.sku') === product.sku,
    'name comes back': (r) => r.json('query.name') === product.name,
  });
}

// parse reads CSV with a head line; fields may be quoted, "" stands for a quote.
function parse(text) {
  const [head, ...rows] = text.trim().split(/\r?\n/).map(fields);
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}

function fields(line) {
  const found = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)) {
    found.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
  }
  return found;
}
