// Steps as data: each has its own functions.
import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

const steps = [
	{
		name: 'login',
		request: () => http.post(`${BASE}/login`, { user: 'kim', password: 'secret' }),
		keep: (ctx, res) => { ctx.token = res.json('token'); },
	},
	{
		name: 'private',
		request: (ctx) => http.get(`${BASE}/private`, { headers: { Authorization: `Bearer ${ctx.token}` } }),
		checks: { 'is kim': (r) => r.json('user') === 'kim' },
	},
	{
		name: 'done',
		when: (ctx) => ctx.token.length > 3,
		request: () => http.get(`${BASE}/ok`),
		checks: { 'is ok': (r) => r.body === 'ok' },
	},
];

export const options = { iterations: 3 };

export default function () {
	const ctx = {};
	steps.forEach((step) => {
		if (step.when && !step.when(ctx)) return;
		const res = step.request(ctx);
		if (step.checks) check(res, step.checks);
		if (step.keep) step.keep(ctx, res);
		sleep(0.001);
	});
}
