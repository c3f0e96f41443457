import http from 'k6/http'
import { check } from 'k6'
import { Counter, Rate } from 'k6/metrics'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'
const bad = new Counter('bad_json')
const parsed = new Rate('parsed')

export const options = { vus: 1, iterations: 4, thresholds: { bad_json: ['count==4'], parsed: ['rate==0.5'] } }

function safeParse(res, fallback = {}) {
    let doc = fallback
    try {
        doc = JSON.parse(res.body)
        parsed.add(true)
    } catch (e) {
        bad.add(1, { kind: e.name })
        parsed.add(false)
        console.warn(`not JSON: ${res.status} ${e instanceof SyntaxError}`)
    } finally {
        doc.seen = true
    }
    return doc
}

export default function () {
    const good = safeParse(http.get(`${BASE}/echo?a=1`))
    const text = safeParse(http.get(`${BASE}/size/20`), { query: { a: 'none' } })
    check(good, { 'a is 1': (d) => d.query.a === '1', 'seen': (d) => d.seen === true })
    check(text, { 'fell back': (d) => d.query.a === 'none' && d.seen })

    let count = -1
    try {
        count = http.get(`${BASE}/gzip`).json('items').length
    } catch {
        count = 0
    }
    check(count, { '200 items': (n) => n === 200 })
}
