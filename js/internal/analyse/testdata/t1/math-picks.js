import http from 'k6/http'
import { check, sleep } from 'k6'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'
const SIZES = [1, 10, 100, 1000, 1_500]
const USERS = [
	{ name: 'ann', age: 31 },
	{ name: 'bob', age: 42 },
	{ name: 'cleo', age: 27 },
]

export const options = { iterations: 8 }

export default function () {
	const size = SIZES[Math.floor(Math.random() * SIZES.length)]
	const user = USERS[__ITER % USERS.length]
	const id = Math.round(Math.random() * 1e6)
	const price = (Math.random() * 100).toFixed(2)

	const page = http.get(`${BASE}/size/${size}`, { tags: { name: 'page' } })
	check(page, { 'size as asked': (r) => r.body.length === size })

	const res = http.post(`${BASE}/echo`, JSON.stringify({ id, price, user, half: id / 2, big: Math.max(size, 50) }), {
		headers: { 'Content-Type': 'application/json' },
	})
	check(res, {
		'user in the body': (r) => r.body.includes(user.name),
		'id in the body': (r) => r.body.includes(`${id}`),
	})
	sleep(Math.random() * 0.01)
}
