import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 5 };

// Tables are shared by several calls.
const isOk = {
  'status 200': (res) => res.status === 200,
  'text says ok': (res) => res.body === 'ok',
};

const isJson = {
  'status 200': (res) => res.status === 200,
  'content type is json': (res) => res.headers['Content-Type'].includes('application/json'),
};

const all = {
  ...isJson,
  'path is echoed': (res) => res.json().path === '/echo',
};

const refused = {
  'status is 4xx': (res) => {
    return res.status >= 400 && res.status < 500;
  },
  'no transport error': ({ error }) => error === '',
};

export default function () {
  check(http.get(`${BASE}/ok`), isOk);
  check(http.get(`${BASE}/cookies`), isJson);
  check(http.get(`${BASE}/echo?page=1&sort=name`), all, { part: 'search' });
  check(http.get(`${BASE}/private`), refused);
  check(http.get(`${BASE}/status/418`), refused, { part: 'teapot' });
}
