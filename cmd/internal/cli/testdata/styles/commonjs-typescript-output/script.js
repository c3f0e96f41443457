"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) {
    return (mod && mod.__esModule) ? mod : { "default": mod };
};
Object.defineProperty(exports, "__esModule", { value: true });
exports.options = void 0;
exports.default = default_1;
const http_1 = __importDefault(require("k6/http"));
const k6_1 = require("k6");
const metrics_1 = require("k6/metrics");
const calls = new metrics_1.Counter("calls");
exports.options = { iterations: 2 };
function default_1() {
    const res = http_1.default.get(`${__ENV.TARGET}/ok`);
    (0, k6_1.check)(res, { "is 200": (r) => r.status === 200 });
    calls.add(1);
}
