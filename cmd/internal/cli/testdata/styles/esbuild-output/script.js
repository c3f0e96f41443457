var __defProp = Object.defineProperty;
var __name = (target, value) => __defProp(target, "name", { value, configurable: true });

// src/main.ts
import http from "k6/http";
import { check } from "k6";

// src/url.ts
function url(path) {
  return `${__ENV.TARGET}${path}`;
}
__name(url, "url");

// src/main.ts
var options = {
  iterations: 2
};
function main_default() {
  const res = http.get(url("/ok"));
  check(res, { "is 200": (r) => r.status === 200 });
}
__name(main_default, "default");
export {
  main_default as default,
  options
};
//# sourceMappingURL=script.js.map
