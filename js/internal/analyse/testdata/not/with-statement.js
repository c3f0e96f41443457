// blocks: with, in the body of new Function
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const settings = { path: '/status/', status: 203 };

// modules are strict, so the only way to a with statement is source text
const join = new Function('scope', 'with (scope) { return path + status; }');

export const options = { iterations: 2 };

export default function () {
  const res = http.get(BASE + join(settings));
  check(res, { 'as set': (r) => r.status === settings.status });
}
