import http from "k6/http";
import { check, sleep } from "k6";

export let options = {
  vus: "1",
  duration: "1000",
  ext: { loadimpact: { projectID: 123, name: "old" } },
  thresholds: { "http_req_duration": ["p(95) < 5000"] },
  noSuchOption: true,
};

var counter = 0;

export default function() {
  counter++;
  let params = { headers: { "X-Counter": counter }, tags: { n: counter % 2 } };
  let res = http.get(__ENV.TARGET + "/echo", params);
  switch (true) {
    case res.status >= 500: throw new Error("server");
    case res.status === 200: break;
    default: return;
  }
  try { check(JSON.parse(res.body), { "counter is there": (o) => o.headers["X-Counter"] == counter }); } catch (e) { console.error(e); }
  sleep(0.02);
};
