import http from 'k6/http'
import { check } from 'k6'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

export const options = { iterations: 3 }

export default function () {
    const doc = JSON.parse(http.get(BASE + '/gzip').body)
    const chosen = doc.items[Math.floor(Math.random() * doc.items.length)]

    const res = http.put(BASE + '/echo?id=' + chosen.id, JSON.stringify(chosen), {
        headers: { 'Content-Type': 'application/json' },
        tags: { name: 'put one' },
    })
    const sent = JSON.parse(JSON.parse(res.body).body)
    check(res, {
        'id travelled': (r) => r.json().query.id === `${chosen.id}`,
        'name travelled': () => sent.name === 'item ' + chosen.id,
        'flag travelled': () => sent.even === (chosen.id % 2 === 0),
    })

    const next = JSON.parse(res.body).query
    http.get(`${BASE}/echo?after=${next.id}&flag=${sent.even}`)
}
