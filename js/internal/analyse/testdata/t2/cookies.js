import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { vus: 1, iterations: 3 };

export default function () {
	const login = http.post(`${BASE}/login`, { user: 'eve', password: 'secret' });
	const session = login.cookies.session[0].value;
	const path = login.cookies['session'][0].path;

	// by hand, as a header of its own
	const again = http.get(`${BASE}/private`, { headers: { Authorization: `Bearer ${session}` } });
	check(again, { 'cookie is the token': (r) => r.json('user') === 'eve' });

	const set = http.get(`${BASE}/cookies?flavour=plum&size=xl`);
	const flavour = set.cookies.flavour[0].value;
	const back = http.get(`${BASE}/cookies`, { cookies: { copy: flavour } });
	check(back, {
		'jar sends what was set': (r) => r.json('cookies.flavour') === 'plum' && r.json('cookies.size') === 'xl',
		'own cookie beside it': (r) => r.json('cookies.copy') === flavour,
		'session still there': (r) => r.json('cookies.session') === session,
		'path is root': () => path === '/',
	});
}
