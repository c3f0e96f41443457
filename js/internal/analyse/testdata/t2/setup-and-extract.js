import http from 'k6/http';
import { check } from 'k6';
import exec from 'k6/execution';

var BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export var options = {
  scenarios: { buyers: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } },
};

export function setup() {
  var doc = http.get(BASE + '/br').json();
  return { catalogue: doc.items.slice(0, 6), started: doc.compressed };
}

export default function (data) {
  var item = data.catalogue[exec.vu.idInTest % data.catalogue.length];
  var quote = http.post(BASE + '/echo', JSON.stringify({ item: item.id, count: __ITER + 1 }));
  var wanted = JSON.parse(quote.json('body'));
  var order = http.post(BASE + '/echo', 'item=' + wanted.item + ';count=' + wanted.count + ';even=' + item.even);
  check(order, {
    'order is right': function (r) {
      return r.json('body') === 'item=' + item.id + ';count=' + (__ITER + 1) + ';even=' + item.even;
    },
    'catalogue is whole': function () { return data.catalogue.length === 6 && data.started; },
  });
}
