// httpx: HTTP sessions.

import http from "k6/http";

import { closed } from "./provided.ts";

type Params = Record<string, any>;
type Success = (response: any) => boolean;

/** A request to be run by a session. */
export class Request {
  method: string;
  url: any;
  params: Params;
  body: any;

  constructor(method: string, url: any, params: Params = {}) {
    const { body, ...rest } = params;
    this.method = method;
    this.url = url;
    this.params = rest;
    this.body = body;
    if (url !== null && typeof url === "object" && "url" in url) {
      this.url = url.url;
      this.addTag("name", url.name);
    }
  }

  addHeader(name: string, value: any): this {
    (this.params.headers ??= {})[name] = value;
    return this;
  }

  addTag(name: string, value: any): this {
    (this.params.tags ??= {})[name] = value;
    return this;
  }
}

const requestOf = (method: string) =>
  closed("httpx", class extends Request {
    constructor(url: any, params?: Params) {
      super(method, url, params);
    }
  });

export const Get = /* @__PURE__ */ requestOf("GET");
export const Post = /* @__PURE__ */ requestOf("POST");
export const Put = /* @__PURE__ */ requestOf("PUT");
export const Patch = /* @__PURE__ */ requestOf("PATCH");
export const Delete = /* @__PURE__ */ requestOf("DELETE");
export const Options = /* @__PURE__ */ requestOf("OPTIONS");
export const Head = /* @__PURE__ */ requestOf("HEAD");
export const Connect = /* @__PURE__ */ requestOf("CONNECT");
export const Trace = /* @__PURE__ */ requestOf("TRACE");

// merged puts params over others: headers and tags key by key, the rest as a whole.
function merged(below: Params, above: Params | null | undefined): Params {
  const all = { ...below, ...above };
  for (const map of ["headers", "tags"]) {
    if (below[map] || above?.[map]) {
      all[map] = { ...below[map], ...above?.[map] };
    }
  }
  return all;
}

const isSuccess: Success = (response) => response.status >= 200 && response.status <= 399;

interface LastRequest {
  responseObject: any;
  responseChainDuration: number;
}

/** What the versions of sessions have in common: base address, headers, tags, requests. */
class Session {
  baseURL: string;
  k6params: Params;
  errorMetric: any = null;
  errorMetricCondition: Success = isSuccess;
  lastRequest: LastRequest = { responseObject: null, responseChainDuration: 0 };

  constructor(opts: Params = {}) {
    const { baseURL = "", headers = {}, tags = {}, errorMetric = null, errorMetricCondition = isSuccess, ...rest } = opts;
    this.baseURL = baseURL;
    this.k6params = { ...rest, headers: { ...headers }, tags: { ...tags } };
    this.errorMetric = errorMetric;
    this.errorMetricCondition = errorMetricCondition;
  }

  get lastRequestChainDuration(): number {
    return this.lastRequest.responseChainDuration;
  }

  setBaseUrl(url: string): void {
    this.baseURL = url;
  }

  addHeader(name: string, value: any): void {
    this.k6params.headers[name] = value;
  }

  addHeaders(headers: Params): void {
    Object.assign(this.k6params.headers, headers);
  }

  clearHeader(name: string): void {
    delete this.k6params.headers[name];
  }

  addTag(name: string, value: any): void {
    this.k6params.tags[name] = value;
  }

  addTags(tags: Params): void {
    Object.assign(this.k6params.tags, tags);
  }

  clearTag(name: string): void {
    delete this.k6params.tags[name];
  }

  get(url: any, body?: any, params?: Params): any {
    return this.request("GET", url, body, params);
  }

  post(url: any, body?: any, params?: Params): any {
    return this.request("POST", url, body, params);
  }

  put(url: any, body?: any, params?: Params): any {
    return this.request("PUT", url, body, params);
  }

  patch(url: any, body?: any, params?: Params): any {
    return this.request("PATCH", url, body, params);
  }

  delete(url: any, body?: any, params?: Params): any {
    return this.request("DELETE", url, body, params);
  }

  request(method: string, url: any, body?: any, params?: Params): any {
    const [address, all] = this.prepared(url, params);
    const { expect = this.errorMetricCondition, ...sent } = all;
    const started = Date.now();
    const response = http.request(method, address, body, sent);
    this.lastRequest = { responseObject: response, responseChainDuration: Date.now() - started };
    this.errorMetric?.add(!expect(response));
    return response;
  }

  execute(request: Request): any {
    return this.request(request.method, request.url, request.body, request.params);
  }

  batch(requests: any[], shared: Params = {}): any[] {
    const list = requests.map((r) => this.batchItem(r, merged(this.k6params, shared))).filter((r) => r !== null);
    const started = Date.now();
    const responses = http.batch(list);
    this.lastRequest = { responseObject: responses, responseChainDuration: Date.now() - started };
    return responses;
  }

  private batchItem(item: any, params: Params): any[] | null {
    const request = item instanceof Request ? [item.method, item.url, item.body, item.params] : item;
    if (!Array.isArray(request)) {
      return null;
    }
    const [method, url, body, own] = request;
    return [method, this.baseURL + url, body, merged(params, own)];
  }

  /** The address and params of a request of this session. */
  protected prepared(url: any, params: Params | null | undefined): [address: string, params: Params] {
    let all = merged(this.k6params, params);
    if (url !== null && typeof url === "object" && "url" in url) {
      all = merged(all, { tags: { name: url.name } });
      url = url.url;
    }
    return [this.address(String(url)), all];
  }

  protected address(url: string): string {
    return url.startsWith("http") ? url : this.baseURL + url;
  }
}

/** Sessions of 0.0.1 and 0.0.2, which put the base address before every other. */
export class Httpx001 extends Session {
  constructor({ baseURL, headers, tags, otherParams }: Params = {}) {
    super({ ...otherParams, baseURL, headers, tags });
  }

  get params(): Params {
    return this.k6params;
  }

  protected address(url: string): string {
    return this.baseURL + url;
  }
}

/** Sessions of 0.0.3, whose options are params but for the few with a meaning here. */
export class Httpx003 extends Session {
  protected address(url: string): string {
    return this.baseURL + url;
  }
}

/** Sessions of 0.0.4 and 0.0.5, with more methods. */
export class Httpx004 extends Httpx003 {
  options(url: any, body?: any, params?: Params): any {
    return this.request("OPTIONS", url, body, params);
  }

  head(url: any, body?: any, params?: Params): any {
    return this.request("HEAD", url, body, params);
  }

  trace(url: any, body?: any, params?: Params): any {
    return this.request("TRACE", url, body, params);
  }
}

/** Sessions of 0.0.6, which leave absolute addresses alone. */
export class Httpx006 extends Httpx004 {
  protected address(url: string): string {
    return url.startsWith("http") ? url : this.baseURL + url;
  }
}

const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];

function validate(method: string, given: number, name: string): void {
  if (given < 2) {
    throw new Error(`Invalid number of arguments for ${name}(). Provide at least Method and URL.`);
  }
  if (!methods.includes(method)) {
    throw new Error(`Invalid method: ${method}. Expected one of ${methods.join(",")}`);
  }
}

/** Sessions of 0.1.0, which validate, and can wait on the event loop. */
export class Httpx extends Httpx006 {
  request(method: string, url: any, body?: any, params?: Params): any {
    validate(method, arguments.length, "request");
    return super.request(method, url, body, params);
  }

  connect(url: any, body?: any, params?: Params): any {
    return this.request("CONNECT", url, body, params);
  }

  asyncRequest(method: string, url: any, body?: any, params?: Params): Promise<any> {
    validate(method, arguments.length, "asyncRequest");
    const [address, all] = this.prepared(url, params);
    const { expect: _, ...sent } = all;
    return http.asyncRequest(method, address, body, sent);
  }

  asyncGet(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("GET", url, body, params);
  }

  asyncHead(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("HEAD", url, body, params);
  }

  asyncPost(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("POST", url, body, params);
  }

  asyncPut(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("PUT", url, body, params);
  }

  asyncDelete(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("DELETE", url, body, params);
  }

  asyncConnect(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("CONNECT", url, body, params);
  }

  asyncOptions(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("OPTIONS", url, body, params);
  }

  asyncTrace(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("TRACE", url, body, params);
  }

  asyncPatch(url: any, body?: any, params?: Params): Promise<any> {
    return this.asyncRequest("PATCH", url, body, params);
  }
}

closed("httpx", Request);
closed("httpx", Httpx001);
closed("httpx", Httpx003);
closed("httpx", Httpx004);
closed("httpx", Httpx006);
closed("httpx", Httpx);
