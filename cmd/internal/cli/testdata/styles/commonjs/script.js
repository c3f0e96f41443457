const http = require('k6/http');
const { check, sleep } = require('k6');
const config = require('./config');

module.exports.options = config.options;

module.exports.setup = function () { return { started: Date.now() }; };

module.exports.default = function (data) {
  var res = http.get(config.url('/ok'), { tags: { name: 'ok' } });
  check(res, { 'status': function (r) { return r.status == 200; }, 'started': data.started > 0 });
  sleep(0.01);
};
