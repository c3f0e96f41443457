import http from 'k6/http'
import { check, sleep } from 'k6'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

export let options = {
    iterations: 4,
    thresholds: {
        http_req_failed: ['rate<=0.5'],
        http_req_duration: ['p(95)<5000', 'avg<4000'],
    },
}

export default () => {
    let res = http.get(BASE + '/size/512', { tags: { name: 'half a kilobyte' } })
    check(res, {
        'is 200': r => r.status == 200,
        'has all bytes': r => r.body.length === 512,
        'was answered at all': r => r.timings.duration >= 0 && r.timings.waiting >= 0,
    })
    sleep(0.005)
    http.get(BASE + '/status/404', { tags: { name: 'missing' } })
    sleep(0.005)
}
