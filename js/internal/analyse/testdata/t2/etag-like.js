// Headers of one answer are sent back with the next request.
import http from "k6/http"
import { check } from "k6"
import { uuidv4 } from "https://jslib.k6.io/k6-utils/1.4.0/index.js"

const BASE = __ENV.TARGET || "http://127.0.0.1:8000"

export const options = { iterations: 3 }

export default function () {
  const page = http.get(`${BASE}/size/300`)
  const length = page.headers["Content-Length"]
  const type = page.headers["Content-Type"]
  const server = page.headers.Server

  const res = http.get(`${BASE}/echo`, {
    headers: {
      "If-Length": length,
      "If-Type": type,
      "X-Server": server,
      "X-Trace": uuidv4(),
      "X-Missing": `${page.headers["X-Missing"]}`,
    },
  })
  const trace = res.json("headers.X-Trace")
  check(res, {
    "length came along": (r) => r.json("headers.If-Length") === "300",
    "type came along": (r) => r.json("headers.If-Type") === type,
    "server came along": (r) => r.json("headers.X-Server") === "jsload-target",
    "undefined as text": (r) => r.json("headers.X-Missing") === "undefined",
  })
  check(http.get(`${BASE}/echo?trace=${trace}`), { "trace is kept": (r) => r.json("query.trace") === trace })
}
