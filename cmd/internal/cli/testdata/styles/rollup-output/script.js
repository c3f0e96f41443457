'use strict';

Object.defineProperty(exports, '__esModule', { value: true });

var http = require('k6/http');
var k6 = require('k6');

function _interopDefaultLegacy (e) { return e && typeof e === 'object' && 'default' in e ? e : { 'default': e }; }

var http__default = /*#__PURE__*/_interopDefaultLegacy(http);

function ownKeys(object) {
  var keys = Object.keys(object);
  if (Object.getOwnPropertySymbols) { keys.push.apply(keys, Object.getOwnPropertySymbols(object)); }
  return keys;
}

function _classCallCheck(instance, Constructor) {
  if (!(instance instanceof Constructor)) { throw new TypeError("Cannot call a class as a function"); }
}

var Page = /*#__PURE__*/function () {
  function Page(path) { _classCallCheck(this, Page); this.path = path; }
  Page.prototype.open = function open() { return http__default["default"].get("".concat(__ENV.TARGET).concat(this.path)); };
  return Page;
}();

var options = { vus: 1, iterations: 2 };
function index () {
  var res = new Page('/ok').open();
  k6.check(res, { 'is 200': function is200(r) { return r.status === 200 && ownKeys(r).length > 5; } });
}

exports.default = index;
exports.options = options;
