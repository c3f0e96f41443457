import http from 'k6/http'
import { check } from 'k6'
import { URL, URLSearchParams } from 'https://jslib.k6.io/url/1.0.0/index.js'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

export const options = { vus: 1, iterations: 3 }

const seen = new Map()
const names = new Set()

export default function () {
    const url = new URL('/echo', BASE)
    url.searchParams.append('page', String(__ITER))
    url.searchParams.append('tag', 'a b')
    const res = http.get(url.toString())

    const page = res.json('query.page')
    seen.set(page, (seen.get(page) || 0) + 1)
    names.add('always the same')
    const form = new URLSearchParams([['x', '1'], ['y', page]])
    const sent = http.post(`${BASE}/echo`, form.toString(), { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })
    check(res, { 'tag': r => r.json('query.tag') === 'a b' })
    check(sent, {
        'form': r => r.json('body') === `x=1&y=${page}`,
        'one more page': () => seen.size === __ITER + 1,
        'one name': () => names.size === 1,
    })
}
