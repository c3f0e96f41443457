import http from 'k6/http';
import k6, { randomSeed } from 'k6';

var BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
var words = 'alpha beta gamma delta epsilon'.split(' ');
var weights = { low: 1, mid: 10, high: 100 };

export var options = { vus: 1, iterations: 5 };

export default function () {
  randomSeed(__VU * 1000 + __ITER);
  var first = words[Math.floor(Math.random() * words.length)];
  var second = words[~~(Math.random() * words.length)];
  var amount = Math.ceil(Math.random() * weights.high) + weights['mid'];
  var res = http.get(BASE + '/echo?pair=' + first + '-' + second + '&amount=' + amount);
  k6.check(res, {
    'pair': function (r) { return r.json('query.pair') === first + '-' + second; },
    'amount within bounds': function (r) {
      var n = Number(r.json('query.amount'));
      return n >= 10 && n <= 110;
    },
  });
  console.log('asked for ' + first + ' and ' + second + ', ' + amount + ' times');
}
