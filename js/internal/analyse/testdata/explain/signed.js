import http from 'k6/http'
import crypto from 'k6/crypto'
import encoding from 'k6/encoding'
import { check } from 'k6'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'
const KEY = __ENV.API_KEY || 'open sesame'

export const options = { iterations: 3 }

function sign(method, path, body) {
  const digest = crypto.sha256(body, 'hex')
  const hasher = crypto.createHMAC('sha256', KEY)
  hasher.update([method, path, digest].join('\n'))
  return { digest, signature: hasher.digest('base64') }
}

export default function () {
  const body = JSON.stringify({ n: __ITER, text: encoding.b64encode('payload ' + __ITER) })
  const { digest, signature } = sign('POST', '/echo', body)
  const res = http.post(`${BASE}/echo`, body, {
    headers: { 'Content-Type': 'application/json', 'X-Digest': digest, 'X-Signature': signature },
  })
  check(res, {
    'digest arrived': r => r.json('headers.X-Digest') === crypto.sha256(r.json('body'), 'hex'),
    'signature is 44 long': r => r.json('headers.X-Signature').length === 44,
  })
}
