import http from 'k6/http'
import { check, sleep } from 'k6'
import { randomIntBetween } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

export const options = { vus: 1, iterations: 12 }

export default function () {
    const kind = randomIntBetween(1, 6)
    switch (kind) {
        case 1:
            check(http.get(`${BASE}/ok`), { 'one': r => r.status === 200 })
            break
        case 2:
        case 3: {
            const code = kind === 2 ? 400 : 404
            check(http.get(`${BASE}/status/${code}`), { 'two or three': r => r.status === code })
            break
        }
        case 4:
            http.get(`${BASE}/size/1`)
            // falls through
        case 5:
            http.get(`${BASE}/size/2`)
            break
        default:
            http.del(`${BASE}/echo`)
    }

    switch (true) {
        case kind > 4: console.log('high'); break
        case kind > 2: console.log('middle'); break
        default: console.log('low')
    }
    sleep(0.002)
}
