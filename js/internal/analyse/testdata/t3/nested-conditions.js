import http from 'k6/http'
import { check, group } from 'k6'

var BASE = __ENV.TARGET || 'http://127.0.0.1:8000'
var VERBOSE = __ENV.VERBOSE === '1'

export var options = { iterations: 9 }

export default function () {
  var turn = __ITER % 3
  var res = turn == 0 ? http.get(BASE + '/ok') : turn == 1 ? http.get(BASE + '/status/302', { redirects: 0 }) : http.get(BASE + '/status/502')
  if (VERBOSE) console.log(res.status)

  if (res.status >= 200 && res.status < 300) {
    if (res.body && res.body.length > 1) {
      check(res, { 'has a body': function (r) { return r.body.length === 2 } })
    } else {
      check(res, { 'has no body': false })
    }
  } else if (res.status < 400) {
    check(res, { 'redirect': function (r) { return r.status === 302 } })
  } else {
    group('broken', function () {
      if (res.error_code === 1502 || res.error) check(res, { 'broken gateway': true })
      if (!(res.status in { 502: 1 })) check(res, { 'not in the table': false })
    })
  }

  if (turn === 2) { return }
  http.post(BASE + '/echo', typeof res.body === 'string' ? res.body : 'nothing', turn ? { headers: { 'X-Turn': '' + turn } } : undefined)
}
