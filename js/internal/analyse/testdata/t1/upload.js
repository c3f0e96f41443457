import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const REPORT = 'name;amount\nann;3\nbob;4\n';

export const options = { iterations: 3 };

// Multipart needs nothing but an object with one file in it.
export default () => {
  const answer = http.post(`${BASE}/echo`, {
    file: http.file(REPORT, 'report.csv', 'text/csv'),
  });
  check(answer, {
    'is multipart': (r) => r.json('headers.Content-Type').includes('multipart/form-data; boundary='),
    'has the file name': (r) => r.json('body').includes('filename="report.csv"'),
    'has the type': (r) => r.json('body').includes('text/csv'),
    'has the content': (r) => r.json('body').includes('bob;4'),
  });

  const second = http.post(`${BASE}/echo`, {
    attachment: http.file('0123456789', `part-${__ITER}.bin`),
    turn: __ITER,
  });
  check(second, { 'has the turn': (r) => r.json('body').includes(`part-${__ITER}.bin`) });
};
