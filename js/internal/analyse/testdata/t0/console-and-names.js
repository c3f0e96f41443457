import http from 'k6/http'
import { check, sleep } from 'k6'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'
const RELEASE = '2.4'

export const options = {
  iterations: 2,
  tags: { release: RELEASE },
  systemTags: ['status', 'method', 'name', 'group', 'check', 'scenario', 'expected_response'],
}

function journey() {
  console.log('start of the journey')
  console.info('release', RELEASE, 4, true, null, [1, 'two'], { three: 3 })
  const item = http.get(http.url`${BASE}/size/${64}`)
  check(item, { '64 bytes': (r) => r.body.length === 64 })
  console.warn(`VU ${__VU} in iteration ${__ITER}`)
  const late = http.get(`${BASE}/delay/5`, { tags: { name: 'late' }, timeout: 5000 })
  check(late, { 'came late': (r) => r.status === 200 && r.timings.duration > 1 })
  console.debug('not shown by default')
  sleep(0.01)
  console.error('end of the journey')
}

export { journey as default }
