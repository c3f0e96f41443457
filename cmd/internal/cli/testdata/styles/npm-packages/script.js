import http from 'k6/http';
import { check } from 'k6';
import chunk from 'tiny-chunk';
import { schema } from '@acme/schema/strict';

export const options = { iterations: 1 };

export default function () {
  const ids = chunk([1, 2, 3, 4, 5], 2);
  for (const part of ids) {
    const res = http.post(`${__ENV.TARGET}/echo`, JSON.stringify(part));
    check(schema('array').parse(JSON.parse(res.json('body'))), { 'same part': (v) => v.join() === part.join() });
  }
}
