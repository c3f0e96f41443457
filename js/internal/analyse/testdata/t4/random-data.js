import http from 'k6/http';
import { check } from 'k6';
import { uuidv4, randomItem, randomIntBetween, randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000';

export const options = { scenarios: { d: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };

const first = ['Ada', 'Ben', 'Cy'];
const last = ['Stone', 'Reed', 'Moss'];

function shuffle(list) {
	const copy = [...list];
	for (let i = copy.length - 1; i > 0; i--) {
		const j = Math.floor(Math.random() * (i + 1));
		[copy[i], copy[j]] = [copy[j], copy[i]];
	}
	return copy;
}

function person(i) {
	const name = `${randomItem(first)} ${randomItem(last)}`;
	return {
		id: uuidv4(),
		name,
		mail: name.toLowerCase().replace(' ', '.') + i + '@example.test',
		age: randomIntBetween(18, 80),
		score: Math.round(Math.random() * 1000) / 10,
		tags: shuffle(['a', 'b', 'c']).slice(0, 2),
		code: randomString(4).toUpperCase(),
	};
}

export default function () {
	const people = [];
	for (let i = 0; i < 3; i++) people.push(person(i));
	const res = http.post(`${BASE}/echo`, JSON.stringify({ people }), { headers: { 'Content-Type': 'application/json' } });
	const back = JSON.parse(res.json('body')).people;
	check(back, {
		'all there': (p) => p.length === 3,
		'adults': (p) => p.every(({ age }) => age >= 18 && age <= 80),
		'two tags': (p) => !p.some(({ tags }) => tags.length !== 2 || tags[0] === tags[1]),
		'same ids': (p) => p.map((x) => x.id).join() === people.map((x) => x.id).join(),
	});
	const oldest = back.reduce((a, b) => (b.age > a.age ? b : a));
	console.log(`oldest: ${oldest.name}, ${oldest.age}, ${oldest.score}`);
}
