import http from 'k6/http';
import { check } from 'k6';
import { Trend, Rate, Gauge } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const ttfb = new Trend('ttfb', true);
const network = new Trend('network_part', true);
const compressed = new Rate('compressed');
const bytes = new Gauge('bytes');

export const options = { iterations: 4 };

export default function () {
    const res = http.get(`${BASE}/gzip`, { tags: { name: 'packed' } });
    const { duration, waiting, blocked, connecting, tls_handshaking: tls, sending, receiving } = res.timings;
    ttfb.add(waiting);
    network.add(blocked + connecting + tls + sending + receiving);
    compressed.add(res.headers['Content-Encoding'] === 'gzip');
    bytes.add(res.body.length);
    check(res, {
        'parts make the whole': () => Math.abs(duration - (sending + waiting + receiving)) < 0.001,
        'no TLS': () => tls === 0,
        'never looked up': (r) => r.timings.looking_up === 0,
    });
    const first = res.json('items.0');
    const last = res.json('items.199');
    http.post(`${BASE}/echo`, `${first.name} to ${last.name}`, { tags: { first: first.name, even: last.even } });
}
