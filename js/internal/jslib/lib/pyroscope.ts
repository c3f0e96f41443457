// http-instrumentation-pyroscope: baggage that tells a profiler what a request is for.

import exec from "k6/execution";

import { instrumented, originals, replace, wrap, type Params } from "./instrument.ts";
import { closed, provided } from "./provided.ts";

type Headers = (url: any, body?: any, params?: Params) => Params;
type Naming = (url: any, params: Params) => any;

const addressOf = (url: any): string => (url !== null && typeof url === "object" ? (url.name ?? url.url ?? String(url)) : String(url));

const byTag: Naming = (url, params) => params.tags?.name ?? addressOf(url);
const byParam: Naming = (url, params) => params.name ?? addressOf(url);

function entries(url: any, params: Params, naming: Naming): string[] {
  return [
    `k6.test_run_id=${__ENV.K6_CLOUDRUN_TEST_RUN_ID}`,
    `k6.scenario=${exec.scenario.name}`,
    `k6.name=${naming(url, params)}`,
  ];
}

// replaced makes a header in the place of what is there, extended one behind it.
const replaced = (naming: Naming): Headers => (url, _body, params = {}) => ({ baggage: entries(url, params, naming).join(", ") });

const extended: Headers = (url, _body, params = {}) => {
  const before = params.headers?.baggage;
  const list = before === undefined ? [] : [before].flat();
  return { baggage: [...list, ...entries(url, params, byTag)].join(",") };
};

const around = (headers: Headers) => (call: (params: Params) => any, url: any, body: any, params: Params): any => {
  params.headers = Object.assign(params.headers ?? {}, headers(url, body, params));
  return call(params);
};

function clientClass(standard: Headers): any {
  class Client {
    #headers: Headers;

    constructor(generateHeaders: Headers = standard) {
      this.#headers = generateHeaders;
    }

    static run(client: Client, name: string, args: any[]): any {
      return wrap(name, originals()[name], around(client.#headers))(...args);
    }
  }
  const run = Client.run;
  for (const name of instrumented) {
    (Client.prototype as any)[name] = function (this: Client, ...args: any[]) {
      return run(this, name, args);
    };
  }
  return closed("http-instrumentation-pyroscope", Client);
}

const instrument = (headers: Headers) => (): void => replace(around(headers), originals());

export const Client = /* @__PURE__ */ clientClass(extended);
export const Client101 = /* @__PURE__ */ (() => clientClass(replaced(byTag)))();
export const Client100 = /* @__PURE__ */ (() => clientClass(replaced(byParam)))();

/** Adds the header to all requests of the virtual user from now on. */
export const instrumentHTTP = /* @__PURE__ */ instrument(extended);
export const instrumentHTTP101 = /* @__PURE__ */ (() => instrument(replaced(byTag)))();
export const instrumentHTTP100 = /* @__PURE__ */ (() => instrument(replaced(byParam)))();

const name = "http-instrumentation-pyroscope";
export const whole = /* @__PURE__ */ provided(name, { Client, instrumentHTTP });
export const whole101 = /* @__PURE__ */ (() => provided(name, { Client: Client101, instrumentHTTP: instrumentHTTP101 }))();
export const whole100 = /* @__PURE__ */ (() => provided(name, { Client: Client100, instrumentHTTP: instrumentHTTP100 }))();
