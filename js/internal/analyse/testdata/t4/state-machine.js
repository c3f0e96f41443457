import http from 'k6/http'
import { check } from 'k6'

const BASE = __ENV.TARGET || 'http://127.0.0.1:8000'

export const options = { iterations: 6 }

let state = 'new'
let counter = 0
const history = []

const NEXT = { new: 'paid', paid: 'sent', sent: 'done', done: 'new' }

function step() {
  counter++
  const res = http.put(`${BASE}/echo?state=${state}&n=${counter}`)
  const before = res.json('query.state')
  history.push(before)
  if (history.length > 3) history.shift()
  state = NEXT[before] || 'new'
  return before
}

export default function () {
  let log = ''
  for (let i = 0; i < 2; i++) {
    log += step() + ' '
  }
  const [a, b] = log.trim().split(' ')
  check(history, {
    'history is short': h => h.length <= 3,
    'newest is last': h => h[h.length - 1] === b,
    'in order': () => NEXT[a] === b,
  })
  console.log(`${__ITER}: ${log}-> ${state} [${history}] ${counter}`)
}
