// Every verb once, each answer looked at.
import http from 'k6/http';
import { check } from 'k6';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';
const URL = BASE + '/echo';

export const options = {
	vus: 1,
	iterations: 3,
};

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json' };

export default function () {
	const got = http.get(URL);
	check(got, { 'GET arrived': (r) => r.json('method') === 'GET' });

	const posted = http.post(URL, JSON.stringify({ title: 'lamp', price: 12.5 }), { headers: JSON_HEADERS });
	check(posted, {
		'POST arrived': (r) => r.json('method') === 'POST',
		'POST kept its body': (r) => r.json('body') === '{"title":"lamp","price":12.5}',
	});

	const put = http.put(URL, JSON.stringify({ price: 13 }), { headers: JSON_HEADERS });
	check(put, { 'PUT arrived': (r) => r.json('method') === 'PUT' });

	const patched = http.patch(URL, JSON.stringify({ stock: null, tags: ['a', 'b'] }), { headers: JSON_HEADERS });
	check(patched, { 'PATCH kept its body': (r) => r.json().body === '{"stock":null,"tags":["a","b"]}' });

	const gone = http.del(URL);
	check(gone, { 'DELETE arrived': (r) => r.json('method') === 'DELETE' });

	const asked = http.options(URL);
	check(asked, { 'OPTIONS arrived': (r) => r.json('method') === 'OPTIONS' });

	const head = http.head(BASE + '/ok');
	check(head, { 'HEAD has no body': (r) => r.status === 200 && r.body === '' });

	const raw = http.request('REPORT', URL, 'plain text');
	check(raw, { 'own method arrived': (r) => r.json('method') === 'REPORT' && r.json('body') === 'plain text' });
}
