// blocks: http patched
var http = require('k6/http');
var check = require('k6').check;

var BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
var calls = 0;
var client = Object.assign({}, http);

client.get = function (url, params) {
  calls++;
  return http.get(url + '?call=' + calls, params);
};

exports.options = { vus: 1, iterations: 3 };

exports.default = function () {
  var res = client.get(BASE + '/echo');
  check(res, { 'was counted': function (r) { return r.json('query.call') === String(calls); } });
};
