import http from "k6/http"
import { check, group, fail } from "k6"
import { Rate, Trend, Counter, Gauge } from "k6/metrics"
import exec from "k6/execution"

const errorRate = new Rate("errors")
const waiting = new Trend("waiting_time", true)
const requests = new Counter("my_requests")
let sizes = new Gauge("content_size")

export let options = {
    stages: [
        { duration: "500ms", target: 2 },
        { duration: "500ms", target: 0 },
    ],
    thresholds: {
        errors: ["rate<0.5"],
        "http_req_duration{name:list}": ["max>=0"],
        "http_req_duration{name:item}": ["max>=0"],
        "group_duration{group:::browse}": ["avg<60000"],
    },
    tags: { release: "42" },
    noConnectionReuse: false,
    userAgent: "load test",
}

function request(method, path, name) {
    const res = http.request(method, __ENV.TARGET + path, null, { tags: { name: name }, timeout: "20s" })
    const ok = check(res, { "status was 200": r => r.status == 200, "has a body": r => r.body && r.body.length > 0 })
    errorRate.add(!ok)
    waiting.add(res.timings.waiting)
    requests.add(1, { name })
    sizes.add(Number(res.headers["Content-Length"] || 0))
    ok || fail("no answer from " + name)
    return res
}

export default () => {
    group("browse", () => {
        request("GET", "/ok", "list")
        switch (true) {
            case Math.random() < 0.3:
                request("GET", `/size/${1_000}`, "item")
                break
            default:
                request("GET", "/size/10?vu=" + exec.vu.idInTest, "item")
        }
    })
}
