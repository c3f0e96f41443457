import http from "k6/http";
import { check, fail } from "k6";
import exec from "k6/execution";

const BASE = __ENV.TARGET || "http://127.0.0.1:8000";

const once = (fn, startTime) => ({ executor: "per-vu-iterations", vus: 1, iterations: 3, exec: fn, startTime });

export const options = {
  scenarios: {
    guests: once("guest", "0s"),
    members: once("member", "100ms"),
    admins: { ...once("admin", "200ms"), env: { ROLE: "admin" } },
  },
};

export function setup() {
  return { members: ["mia", "max"], secret: "secret" };
}

const answer = (res, want) => check(res, { [`${exec.scenario.name} gets ${want}`]: (r) => r.status === want });

export function guest() {
  answer(http.get(`${BASE}/private`), 401);
}

export function member(data) {
  const user = data.members[__ITER % data.members.length];
  const res = http.post(`${BASE}/login`, { user, password: data.secret });
  if (!answer(res, 200)) {
    fail("no login for " + user);
  }
  answer(http.get(`${BASE}/private`), 200);
}

export function admin({ secret }) {
  const role = __ENV.ROLE ? __ENV.ROLE : "nobody";
  const res = http.post(`${BASE}/login`, { user: role, password: __ITER === 1 ? "wrong" : secret });
  res.status === 200 ? answer(http.get(`${BASE}/private`), 200) : answer(res, 401);
}

export function teardown() {}
