import http from 'k6/http'
import { check } from 'k6'
import { randomString } from 'https://jslib.k6.io/k6-utils/1.4.0/index.js'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

export const options = { vus: 1, iterations: 3 }

const CRLF = '\r\n'

// The form is put together as text, because its order matters to the server.
function multipart(fields, boundary) {
  let body = ''
  for (const { name, value, filename } of fields) {
    body += `--${boundary}${CRLF}Content-Disposition: form-data; name="${name}"`
    if (filename) body += `; filename="${filename}"${CRLF}Content-Type: text/plain`
    body += CRLF + CRLF + value + CRLF
  }
  return body + `--${boundary}--${CRLF}`
}

export default function () {
  const boundary = '----' + randomString(16)
  const fields = [
    { name: 'title', value: `photo ${__ITER}` },
    { name: 'doc', value: 'line 1\nline 2', filename: 'notes.txt' },
  ]
  if (__ITER % 2) fields.push({ name: 'odd', value: 'yes' })

  const body = multipart(fields, boundary)
  const res = http.post(`${BASE}/echo`, body, {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  })
  check(res, {
    'arrived whole': (r) => r.json('body') === body,
    'right count': (r) => r.json('body').split(`--${boundary}`).length === fields.length + 2,
    'length is told': (r) => Number(r.json('headers.Content-Length')) === body.length,
  })
}
