import { group, check, sleep } from "k6";
import http from "k6/http";

var BASE = __ENV.TARGET || "http://127.0.0.1:8000";

export var options = {
  vus: 2,
  iterations: 4,
  thresholds: {
    "checks": ["rate>0.9"],
    "group_duration{group:::front page}": ["avg<5000"],
    "http_req_duration{kind:static}": ["max<5000"],
  },
};

export default function visit() {
  group("front page", function () {
    var page = http.get(BASE + "/size/2048");
    check(page, { "front page loads": function (r) { return r.status === 200; } });

    group("assets", function () {
      http.get(BASE + "/size/100", { tags: { kind: "static" } });
      http.get(BASE + "/size/200", { tags: { kind: "static" } });
    });
  });

  sleep(0.01);

  group("news", function () {
    check(http.get(BASE + "/gzip"), {
      "news load": function (r) { return r.status === 200; },
      "news came packed": function (r) { return r.headers["Content-Encoding"] === "gzip"; },
      "the flag is set": function (r) { return r.json("compressed") === true; },
      "third item": function (r) { return r.json("items.2.name") === "item 2"; },
    });
  });
}
