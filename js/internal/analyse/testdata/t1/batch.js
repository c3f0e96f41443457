import http from "k6/http";
import { check } from "k6";

const BASE = __ENV.TARGET || "http://127.0.0.1:8000";

export const options = { vus: 1, iterations: 4, batch: 5, batchPerHost: 3 };

export default function () {
  // strings, tuples and objects side by side
  const responses = http.batch([
    `${BASE}/size/10`,
    ["GET", `${BASE}/size/20`, null, { tags: { asset: "css" } }],
    ["POST", `${BASE}/echo`, JSON.stringify({ n: __ITER }), { headers: { "Content-Type": "application/json" } }],
    { method: "PUT", url: `${BASE}/echo`, body: "raw", params: { headers: { "X-Part": "four" } } },
  ]);
  check(responses[0], { "10 bytes": (r) => r.body.length === 10 });
  check(responses[1], { "20 bytes": (r) => r.body.length === 20 });
  check(responses[2], { "posted": (r) => r.json("body") === `{"n":${__ITER}}` });
  check(responses[3], { "put": (r) => r.json("method") === "PUT" && r.json("headers.X-Part") === "four" });

  // by name
  const named = http.batch({
    home: { method: "GET", url: `${BASE}/ok` },
    lost: { method: "GET", url: `${BASE}/status/404`, params: { tags: { asset: "lost" } } },
  });
  check(named, {
    "home is there": (all) => all.home.status === 200,
    "lost is not": (all) => all["lost"].status === 404,
  });
}
