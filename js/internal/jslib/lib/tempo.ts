// http-instrumentation-tempo: trace headers on requests.

import { randomBytes } from "k6/crypto";
import exec from "k6/execution";

import { instrumented, originals, replace, wrap, type Params } from "./instrument.ts";
import { closed, provided } from "./provided.ts";

interface Options {
  propagator?: "w3c" | "jaeger";
  sampling?: number;
}

const hex = (bytes: number): string => {
  let text = "";
  for (const b of new Uint8Array(randomBytes(bytes))) {
    text += (b + 256).toString(16).slice(1);
  }
  return text;
};

// traceID begins with a mark and the time, so that a reader knows where it is from.
function traceID(): string {
  const time = (BigInt(Date.now()) * 1000000n).toString(16);
  return `dc0718${time}${hex(16)}`.slice(0, 32);
}

const headers: Record<string, (id: string, sampled: boolean) => Params> = {
  w3c: (id, sampled) => ({ traceparent: `00-${id}-${hex(8)}-${sampled ? "01" : "00"}` }),
  jaeger: (id, sampled) => ({ "uber-trace-id": `${id}:${hex(4)}:0:${sampled ? "1" : "0"}` }),
};

class Tracer {
  #headers!: (id: string, sampled: boolean) => Params;
  #sampling!: number;

  constructor(opts: Options) {
    this.configure(opts);
  }

  configure(opts: Options): void {
    const { propagator = "w3c", sampling = 1 } = opts;
    if (!Object.hasOwn(headers, propagator)) {
      throw `unknown propagator: ${propagator}`;
    }
    if (!(sampling >= 0 && sampling <= 1)) {
      throw "sampling rate must be between 0.0 and 1.0";
    }
    this.#headers = headers[propagator];
    this.#sampling = sampling;
  }

  around(call: (params: Params) => any, _url: any, _body: any, params: Params): any {
    const id = traceID();
    params.headers = Object.assign(params.headers ?? {}, this.#headers(id, Math.random() < this.#sampling));
    const metadata = exec.vu.metrics.metadata;
    metadata.trace_id = id;
    try {
      return call(params);
    } finally {
      delete metadata.trace_id;
    }
  }
}

// clientClass makes a class with the functions of k6/http, those of now or of the call.
function clientClass(now: Record<string, (...args: any[]) => any> | null): any {
  class Client {
    #tracer: Tracer;

    constructor(opts: Options) {
      this.#tracer = new Tracer(opts);
    }

    configure(opts: Options): void {
      this.#tracer.configure(opts);
    }

    static run(client: Client, name: string, args: any[]): any {
      const original = (now ?? originals())[name];
      return wrap(name, original, (...a) => client.#tracer.around(...a))(...args);
    }
  }
  const run = Client.run;
  for (const name of instrumented) {
    (Client.prototype as any)[name] = function (this: Client, ...args: any[]) {
      return run(this, name, args);
    };
  }
  return closed("http-instrumentation-tempo", Client);
}

export const Client = /* @__PURE__ */ clientClass(null);
export const Client100 = /* @__PURE__ */ (() => clientClass(originals()))();

/** Adds trace headers to all requests of the virtual user from now on. */
export function instrumentHTTP(opts: Options): void {
  const tracer = new Tracer(opts);
  replace((...a) => tracer.around(...a), originals());
}

const atImport = /* @__PURE__ */ originals();

/** instrumentHTTP as it was first: over the functions of when it was imported. */
export function instrumentHTTP100(opts: Options): void {
  const tracer = new Tracer(opts);
  replace((...a) => tracer.around(...a), atImport);
}

export const whole = /* @__PURE__ */ provided("http-instrumentation-tempo", { Client, instrumentHTTP });
export const whole100 = /* @__PURE__ */ provided("http-instrumentation-tempo", { Client: Client100, instrumentHTTP: instrumentHTTP100 });
