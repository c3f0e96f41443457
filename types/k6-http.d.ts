// HTTP requests. They block the virtual user, but for asyncRequest.

declare module "k6/http" {
  import type { Selection } from "k6/html";

  /** What a request can send. An object is a form; with a file in it, a multipart form. */
  export type Body = string | ArrayBuffer | ArrayBufferView | { [field: string]: unknown } | null | undefined;

  export type ResponseType = "text" | "binary" | "none";

  export interface Params<R extends ResponseType | undefined = ResponseType | undefined> {
    headers?: { [name: string]: unknown };
    /** Tags of the samples. "name" stands for the URL in results. */
    tags?: { [name: string]: string | number | boolean };
    cookies?: { [name: string]: string | { value: string; replace?: boolean } };
    /** Instead of the virtual user's own. */
    jar?: CookieJar | null;
    /** How many redirects to follow; 0 returns the first one. */
    redirects?: number;
    /** Of the whole exchange: "30s", or milliseconds. 60 s without it. */
    timeout?: string | number;
    auth?: "basic" | "digest" | "ntlm";
    /** Codings for the request's body in order, such as "gzip" or "gzip, br". */
    compression?: string;
    /** What becomes of the response's body; "text" without it. */
    responseType?: R;
    /** HTTP version of this request; jsload's own. */
    protocol?: "auto" | "1.1" | "2";
    /** Which statuses are expected; null counts no failures at all. */
    responseCallback?: ExpectedStatuses | null;
    /** Throw if the request fails. */
    throw?: boolean;
  }

  /** In milliseconds. */
  export interface Timings {
    /** sending + waiting + receiving. */
    duration: number;
    blocked: number;
    looking_up: number;
    connecting: number;
    tls_handshaking: number;
    sending: number;
    waiting: number;
    receiving: number;
  }

  export interface ResponseCookie {
    name: string;
    value: string;
    domain: string;
    path: string;
    http_only: boolean;
    secure: boolean;
    max_age: number;
    /** Milliseconds since 1970. */
    expires: number;
  }

  export interface SentRequest {
    method: string;
    url: string;
    headers: { [name: string]: string[] };
    body: string;
    cookies: { [name: string]: { name: string; value: string; replace: boolean }[] };
  }

  type BodyOf<R> = R extends "binary" ? ArrayBuffer | null : R extends "none" ? null : string | null;

  /** Any JSON value; narrow it by a type of your own: json() as User. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  export type JSONValue = any;

  export interface Response<R extends ResponseType | undefined = ResponseType | undefined> {
    /** 0 if there was no answer: see error. */
    status: number;
    status_text: string;
    /** Of the last hop. */
    url: string;
    proto: string;
    /** By canonical name, such as Content-Type. */
    headers: { [name: string]: string };
    cookies: { [name: string]: ResponseCookie[] };
    body: BodyOf<R>;
    timings: Timings;
    remote_ip: string;
    remote_port: number;
    tls_version: string;
    tls_cipher_suite: string;
    ocsp: {
      produced_at: number;
      this_update: number;
      next_update: number;
      revoked_at: number;
      revocation_reason: string;
      status: string;
    };
    /** Why there is no answer; empty otherwise, also for 4xx and 5xx. */
    error: string;
    /** 0 without an error; 1000 + status from 400 on. */
    error_code: number;
    /** The first request, if there were redirects. */
    request: SentRequest;
    /** The body as JSON, or the part of it that a path such as "items.0.id" selects. */
    json(selector?: string): JSONValue;
    /** The body as an HTML document, or what a CSS selector finds in it. */
    html(selector?: string): Selection;
    /** Fills in and sends a form of the page. */
    submitForm(options?: {
      formSelector?: string;
      submitSelector?: string;
      fields?: { [name: string]: unknown };
      params?: Params;
    }): Response;
    /** Follows a link of the page. */
    clickLink(options?: { selector?: string; params?: Params }): Response;
  }

  export type RefinedResponse<R extends ResponseType | undefined> = Response<R>;
  export type RefinedParams<R extends ResponseType | undefined> = Params<R>;
  export type RequestBody = Body;

  /** What http.url makes: an address whose results go by the name of its template. */
  export interface HttpURL {
    name: string;
    url: string;
    clean_url: string;
  }

  type URLLike = string | HttpURL | URL;

  export function get<R extends ResponseType | undefined = undefined>(url: URLLike, params?: Params<R> | null): Response<R>;
  export function head<R extends ResponseType | undefined = undefined>(url: URLLike, params?: Params<R> | null): Response<R>;
  export function post<R extends ResponseType | undefined = undefined>(url: URLLike, body?: Body, params?: Params<R> | null): Response<R>;
  export function put<R extends ResponseType | undefined = undefined>(url: URLLike, body?: Body, params?: Params<R> | null): Response<R>;
  export function patch<R extends ResponseType | undefined = undefined>(url: URLLike, body?: Body, params?: Params<R> | null): Response<R>;
  export function del<R extends ResponseType | undefined = undefined>(url: URLLike, body?: Body, params?: Params<R> | null): Response<R>;
  export function options<R extends ResponseType | undefined = undefined>(url: URLLike, body?: Body, params?: Params<R> | null): Response<R>;
  export function request<R extends ResponseType | undefined = undefined>(method: string, url: URLLike, body?: Body, params?: Params<R> | null): Response<R>;
  /** Like request, but the virtual user goes on meanwhile. */
  export function asyncRequest<R extends ResponseType | undefined = undefined>(method: string, url: URLLike, body?: Body, params?: Params<R> | null): Promise<Response<R>>;

  /** One request of a batch. */
  export type BatchRequest =
    | URLLike
    | [method: string, url: URLLike, body?: Body, params?: Params | null]
    | { method?: string; url: URLLike; body?: Body; params?: Params | null };

  /** Makes requests at the same time and waits for all. */
  export function batch<Q extends BatchRequest[]>(requests: Q): { [I in keyof Q]: Response };
  export function batch<Q extends { [name: string]: BatchRequest }>(requests: Q): { [N in keyof Q]: Response };

  /** A template tag: http.get(http.url`https://host/items/${id}`) counts under the template. */
  export function url(parts: TemplateStringsArray, ...values: unknown[]): HttpURL;

  export interface FileData {
    data: string | ArrayBuffer;
    filename: string;
    content_type: string;
  }

  /** A file for a multipart form. */
  export function file(data: string | ArrayBuffer | ArrayBufferView, filename?: string, contentType?: string): FileData;

  export interface ExpectedStatuses {
    readonly __expectedStatuses?: never;
  }

  /** Statuses that are no failures: numbers, and ranges with both ends included. */
  export function expectedStatuses(...statuses: (number | { min: number; max: number })[]): ExpectedStatuses;

  /** Which statuses are expected from now on in this virtual user; null counts no failures. */
  export function setResponseCallback(callback: ExpectedStatuses | null): void;

  export class CookieJar {
    cookiesForURL(url: string): { [name: string]: string[] };
    set(url: string, name: string, value: string, options?: {
      domain?: string;
      path?: string;
      /** Such as "Mon, 02 Jan 2034 15:04:05 GMT". */
      expires?: string;
      max_age?: number;
      secure?: boolean;
      http_only?: boolean;
    }): boolean;
    clear(url: string): void;
    delete(url: string, name: string): void;
  }

  /** The virtual user's own jar, which is emptied before each iteration. */
  export function cookieJar(): CookieJar;

  export const TLS_1_0: string;
  export const TLS_1_1: string;
  export const TLS_1_2: string;
  export const TLS_1_3: string;
  export const OCSP_STATUS_GOOD: string;
  export const OCSP_STATUS_REVOKED: string;
  export const OCSP_STATUS_SERVER_FAILED: string;
  export const OCSP_STATUS_UNKNOWN: string;
  export const OCSP_REASON_AA_COMPROMISE: string;
  export const OCSP_REASON_AFFILIATION_CHANGED: string;
  export const OCSP_REASON_CA_COMPROMISE: string;
  export const OCSP_REASON_CERTIFICATE_HOLD: string;
  export const OCSP_REASON_CESSATION_OF_OPERATION: string;
  export const OCSP_REASON_KEY_COMPROMISE: string;
  export const OCSP_REASON_PRIVILEGE_WITHDRAWN: string;
  export const OCSP_REASON_REMOVE_FROM_CRL: string;
  export const OCSP_REASON_SUPERSEDED: string;
  export const OCSP_REASON_UNSPECIFIED: string;

  const http: {
    get: typeof get; head: typeof head; post: typeof post; put: typeof put; patch: typeof patch; del: typeof del;
    options: typeof options; request: typeof request; asyncRequest: typeof asyncRequest; batch: typeof batch;
    url: typeof url; file: typeof file; expectedStatuses: typeof expectedStatuses;
    setResponseCallback: typeof setResponseCallback; CookieJar: typeof CookieJar; cookieJar: typeof cookieJar;
    TLS_1_0: string; TLS_1_1: string; TLS_1_2: string; TLS_1_3: string;
    OCSP_STATUS_GOOD: string; OCSP_STATUS_REVOKED: string; OCSP_STATUS_SERVER_FAILED: string; OCSP_STATUS_UNKNOWN: string;
    OCSP_REASON_AA_COMPROMISE: string; OCSP_REASON_AFFILIATION_CHANGED: string; OCSP_REASON_CA_COMPROMISE: string;
    OCSP_REASON_CERTIFICATE_HOLD: string; OCSP_REASON_CESSATION_OF_OPERATION: string; OCSP_REASON_KEY_COMPROMISE: string;
    OCSP_REASON_PRIVILEGE_WITHDRAWN: string; OCSP_REASON_REMOVE_FROM_CRL: string; OCSP_REASON_SUPERSEDED: string;
    OCSP_REASON_UNSPECIFIED: string;
  };
  export default http;
}

declare module "jsload/http" {
  export * from "k6/http";
  export { default } from "k6/http";
}
