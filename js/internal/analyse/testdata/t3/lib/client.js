import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const params = { headers: { 'Content-Type': 'application/json' }, tags: { client: 'own' } };

function get(path) {
    return http.get(BASE + path, params);
}

function send(method, path, body) {
    return http.request(method, `${BASE}${path}`, body ? JSON.stringify(body) : null, params);
}

const ok = (res, what) => check(res, { [what + ' is ok']: (r) => r.status === 200 });

export const api = { get, send, ok };
