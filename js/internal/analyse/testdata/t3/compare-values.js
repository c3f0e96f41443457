// Comparisons with and without conversion, as hurried people write them.
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { iterations: 3 };

const label = (v) => (v === undefined ? 'undefined' : v === null ? 'null' : v === '' ? 'empty' : typeof v);

const describe = (doc, key) => key + '=' + label(doc[key]);

export default () => {
  const res = http.post(`${BASE}/echo?n=0&e=`, JSON.stringify({ zero: 0, empty: '', none: null, no: false, list: [], nan: NaN }));
  const q = res.json('query');
  const doc = JSON.parse(res.json('body'));
  if (q.n == 0 && q.n !== 0) check(res, { 'text 0 is loosely 0': true });
  if (!doc.zero && !doc.empty && !doc.none && !doc.no && doc.list) check(res, { 'truthiness': true });
  if (doc.nan === null) check(res, { 'NaN became null': true });
  if (doc.missing == null && doc.missing !== null) check(res, { 'missing is undefined': true });
  if (doc.list == false || doc.none >= 0) check(res, { 'odd conversions': true });
  if (isNaN(Number('12px')) && Number('') === 0 && +'1e3' === 1000) check(res, { 'numbers': true });
  console.log(describe(doc, 'zero'), describe(doc, 'empty'), describe(doc, 'none'), describe(doc, 'missing'), describe(doc, 'no'));
  console.log(`${1 / 3} ${1e21} ${-0} ${0.1 + 0.2} ${1 / 0} ${5 % 3} ${-5 % 3} ${2 ** 10} ${7 >>> 1}`);
  const text = '' + doc.none + doc.list + doc.no + doc.zero;
  check(http.post(`${BASE}/echo`, text), { 'as text': (r) => r.json('body') === 'nullfalse0' });
};
