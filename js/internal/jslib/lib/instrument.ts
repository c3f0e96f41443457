// What the two libraries that add headers to requests share: which functions of
// k6/http they stand in for, and where params are.

import http from "k6/http";

export type Params = Record<string, any>;

/** Adds headers to the params of a request and runs it. */
export type Around = (call: (params: Params) => any, url: any, body: any, params: Params) => any;

// Where the params of a function are, and the body before them if it has one.
const bodyless = ["get", "head"];
const withBody = ["del", "options", "patch", "post", "put"];
const general = ["request", "asyncRequest"];

export const instrumented = [...bodyless, ...withBody, ...general];

/** The function of a name, such as get, of an object like the module k6/http. */
export function wrap(name: string, original: (...args: any[]) => any, around: Around): (...args: any[]) => any {
  if (bodyless.includes(name)) {
    return (url: any, params?: any) => around((p) => original(url, p), url, undefined, params ?? {});
  }
  if (withBody.includes(name)) {
    return (url: any, body?: any, params?: any) => around((p) => original(url, body, p), url, body, params ?? {});
  }
  return (method: any, url: any, body?: any, params?: any) => around((p) => original(method, url, body, p), url, body, params ?? {});
}

/** The functions of k6/http as they are when this is called. */
export function originals(): Record<string, (...args: any[]) => any> {
  return Object.fromEntries(instrumented.map((name) => [name, (http as any)[name]]));
}

/** Puts wrapped functions in the place of those of k6/http, for one virtual user. */
export function replace(around: Around, from: Record<string, (...args: any[]) => any>): void {
  for (const name of instrumented) {
    (http as any)[name] = wrap(name, from[name], around);
  }
}
