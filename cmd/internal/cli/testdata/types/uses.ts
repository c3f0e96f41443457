// Uses the declarations as scripts do. Lines after @ts-expect-error must not compile.
import k6, { check, group, sleep, fail, randomSeed } from "k6";
import http, { type Response, type RefinedResponse, type Params } from "k6/http";
import * as own from "jsload/http";
import { Counter, Rate, Trend, Gauge } from "k6/metrics";
import exec, { vu } from "k6/execution";
import { SharedArray } from "k6/data";
import encoding from "k6/encoding";
import crypto2, { hmac } from "k6/crypto";
import { parseHTML } from "k6/html";
import ws from "k6/ws";
import { WebSocket } from "k6/websockets";
import { setTimeout as later } from "k6/timers";
import type { Options, Scenario } from "k6/options";

interface User { name: string; age?: number }

const users = new SharedArray<User>("users", () => JSON.parse(open("./users.json")));
const duration = new Trend("login_duration", true);
const errors = new Rate("errors");
const peak: Scenario = { executor: "ramping-vus", stages: [{ duration: "10s", target: 5 }] };

export const options: Options = {
  scenarios: { peak, even: { executor: "constant-arrival-rate", rate: 5, duration: "1m", preAllocatedVUs: 5 } },
  thresholds: { http_req_duration: ["p(95)<500", { threshold: "max<1000", abortOnFail: true }] },
};

// @ts-expect-error there is no such option
export const wrong: Options = { vuz: 1 };
// @ts-expect-error a constant-vus scenario needs a duration
const none: Scenario = { executor: "constant-vus" };

export function setup(): { token: string } {
  const res = http.post("https://host/login", JSON.stringify({ a: 1 }), { headers: { "Content-Type": "application/json" } });
  const name: string = res.json("user.name");
  const text: string | null = res.body;
  return { token: name + text + none };
}

export default async function (data: { token: string }): Promise<void> {
  randomSeed(1);
  const user = users[exec.scenario.iterationInTest % users.length];
  const params: Params = { headers: { Authorization: `Bearer ${data.token}` }, tags: { name: "items" }, timeout: "5s" };
  const res: Response = group("items", () => http.get(http.url`https://host/items/${user.name}`, params));
  check(res, { "is 200": (r) => r.status === 200, "has type": (r) => r.headers["Content-Type"] !== undefined });
  const bytes: RefinedResponse<"binary"> = http.get("x", { responseType: "binary" });
  const length: number | undefined = bytes.body?.byteLength;
  const [a, b] = http.batch(["x", { method: "GET", url: "y" }]);
  const named = http.batch({ first: "x", second: ["GET", "y"] });
  duration.add(res.timings.duration, { kind: "x" });
  errors.add(!a.status || named.first.status !== b.status);
  new Counter("c").add(length ?? 1);
  new Gauge("g").add(vu.idInTest);
  own.setResponseCallback(own.expectedStatuses(200, { min: 300, max: 399 }));
  if (encoding.b64decode("eA==", "std", "s") !== "x") fail("no");
  const mac: string = hmac("sha256", "key", "data", "hex") + crypto2.sha1("x", "base64");
  const title: string = parseHTML("<p>").find("p").first().text() + mac;
  ws.connect("ws://host", {}, (socket) => { socket.on("message", (m) => socket.send(m.toUpperCase())); });
  const socket = new WebSocket("ws://host");
  socket.addEventListener("message", (e) => console.log(e.data, title));
  socket.onclose = (e) => console.info(e.code);
  later(() => socket.close(), 10);
  const answers = await Promise.all([http.asyncRequest("GET", "x"), http.asyncRequest("POST", "y", { a: 1 })]);
  console.log(answers.map((r) => r.status), new URL("https://a/b").searchParams.get("c"), __ENV.X, __VU, __ITER);
  exec.vu.metrics.tags.region = "eu";
  if (__VU > 5) exec.test.abort("enough");
  // @ts-expect-error no text
  sleep("1");
  // @ts-expect-error there is no such function
  k6.wait(1);
}
