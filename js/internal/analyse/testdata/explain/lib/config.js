const base = __ENV.TARGET || 'http://127.0.0.1:8000';

export default {
    base,
    options: { vus: 1, iterations: 2, thresholds: { checks: ['rate>0.95'] } },
};
