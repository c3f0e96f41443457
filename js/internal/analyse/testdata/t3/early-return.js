import http from 'k6/http';
import { check } from 'k6';
import { Counter } from 'k6/metrics';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const refused = new Counter('refused');
const finished = new Counter('finished');

export const options = {
	vus: 1,
	iterations: 6,
	thresholds: { refused: ['count==3'], finished: ['count==3'] },
};

export default function () {
	// every other one does not know the password
	const password = __ITER % 2 === 0 ? 'secret' : 'guess';
	const login = http.post(`${BASE}/login`, { user: 'dora', password });
	if (!check(login, { 'login 200': (r) => r.status === 200 })) {
		refused.add(1);
		return;
	}

	const token = login.json('token');
	if (!token) return;

	const me = http.get(`${BASE}/private`, { headers: { Authorization: 'Bearer ' + token } });
	if (me.status !== 200) {
		console.error(`private: ${me.status}`);
		return;
	}
	finished.add(1);
}
