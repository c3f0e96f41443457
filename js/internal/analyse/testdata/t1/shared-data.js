import http from 'k6/http'
import { SharedArray } from 'k6/data'
import { check } from 'k6'
import { vu, scenario } from 'k6/execution'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

const people = new SharedArray('people', function () {
    const list = []
    for (let i = 0; i < 20; i++) {
        list.push({ login: `p${i}`, mail: `p${i}@example.test`, roles: ['user', i % 5 === 0 ? 'admin' : 'guest'] })
    }
    return list
})

const cities = new SharedArray('cities', () => ['Oslo', 'Lima', 'Kyoto'])

export const options = { scenarios: { all: { executor: 'per-vu-iterations', vus: 2, iterations: 5 } } }

export default function () {
    const person = people[scenario.iterationInTest % people.length]
    const mine = people[vu.idInTest % people.length]
    const city = cities[Math.floor(Math.random() * cities.length)]
    const res = http.post(`${BASE}/login`, { user: mine.login, password: 'secret' })
    check(res, { 'may log in': (r) => r.status === 200, 'as itself': (r) => r.json('user') === mine.login })
    check(http.get(`${BASE}/echo?city=${city}&role=${mine.roles[0]}`), {
        'city': (r) => r.json('query.city') === city,
        'role': (r) => r.json('query.role') === 'user',
        'someone is next': () => person.roles.length === 2,
    })
}
