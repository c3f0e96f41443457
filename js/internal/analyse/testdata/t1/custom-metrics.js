import http from 'k6/http';
import { check } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const orders = new Counter('orders');
const waiting = new Trend('order_waiting', true);
const sizes = new Trend('answer_bytes');
const broken = new Rate('broken_orders');
const lastStatus = new Gauge('last_status');

export const options = {
    vus: 2,
    iterations: 6,
    thresholds: {
        orders: ['count==12'],
        broken_orders: ['rate==0.5'],
        'orders{kind:big}': ['count==6'],
        order_waiting: ['p(99)<5000'],
        answer_bytes: ['max==2000', 'min==3'],
    },
};

export default function () {
    const fine = http.get(`${BASE}/size/2000`);
    orders.add(1);
    orders.add(1, { kind: 'big' });
    waiting.add(fine.timings.waiting, { step: 'fine' });
    sizes.add(fine.body.length);
    broken.add(fine.status !== 200);

    const bad = http.get(`${BASE}/status/500`);
    sizes.add(bad.body.length);
    check(bad, { 'bad is bad': (r) => r.status >= 400 });
    broken.add(bad.status >= 500);
    lastStatus.add(bad.status);
}
