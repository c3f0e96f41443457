import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { iterations: 3 };

const steps = [
	{ path: '/ok', status: 200 },
	{ path: '/status/404', status: 404, optional: true },
	{ path: '/size/33', status: 200 },
];

export default function () {
	for (let i = 0; i < 3; i++) {
		if (i === 1) continue;
		http.get(`${BASE}/echo?i=${i}`);
	}

	for (const step of steps) {
		const res = http.get(BASE + step.path, { tags: { name: step.path } });
		check(res, { [`${step.path} has status ${step.status}`]: (r) => r.status === step.status });
		if (res.status >= 400 && !step.optional) break;
	}

	steps.forEach((step, i) => {
		http.post(`${BASE}/echo`, `${i}:${step.path}`);
	});

	let tries = 0;
	let last = null;
	for (; tries < 5 && (last === null || last.status !== 200); tries += 1) {
		last = http.get(`${BASE}/status/${tries === 2 ? 200 : 503}`, { tags: { name: 'try' } });
		sleep(0.001);
	}
	check(tries, { 'third try': (n) => n === 3 });

	let n = 10;
	for (; n > 4; ) n -= 2;
	for (const [key, value] of Object.entries({ a: 1, b: 2 })) console.log(key, value, n);
	for (let i = steps.length - 1, j = 0; i >= 0; i--, j++) console.log(`${i} ${j}`);
}
