/* A script of the CommonJS days. */
var http = require('k6/http');
var k6 = require('k6');

var BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
var expect = http.expectedStatuses(200, { min: 500, max: 503 });

exports.options = {
    vus: '2',
    iterations: '4',
    discardResponseBodies: true,
};

exports.default = function () {
    var kept = http.get(BASE + '/ok', { responseType: 'text' });
    k6.check(kept, {
        'body is kept': function (r) { return r.body == 'ok'; },
    });
    var dropped = http.get(BASE + '/size/4096');
    k6.check(dropped, {
        'body is dropped': function (r) { return r.body === null; },
        'length is known': function (r) { return r.headers['Content-Length'] === '4096'; },
    });
    var broken = http.get(BASE + '/status/503', { responseCallback: expect });
    k6.check(broken, {
        'a 503 was meant to be': function (r) { return r.status === 503 && r.error_code === 1503; },
    });
    k6.sleep(0.01);
};
