// aws: configuration, and signatures of version 4.

import { hmac, sha256 } from "k6/crypto";

import { closed } from "./provided.ts";

type Values = Record<string, string>;
type Query = Record<string, string | string[]>;

export const AMZ_ALGORITHM_QUERY_PARAM = "X-Amz-Algorithm";
export const AMZ_CREDENTIAL_QUERY_PARAM = "X-Amz-Credential";
export const AMZ_DATE_QUERY_PARAM = "X-Amz-Date";
export const AMZ_EXPIRES_QUERY_PARAM = "X-Amz-Expires";
export const AMZ_SIGNED_HEADERS_QUERY_PARAM = "X-Amz-SignedHeaders";
export const AMZ_SIGNATURE_QUERY_PARAM = "X-Amz-Signature";
export const AMZ_TOKEN_QUERY_PARAM = "X-Amz-Security-Token";
export const AMZ_CONTENT_SHA256_HEADER = "x-amz-content-sha256";
export const AMZ_DATE_HEADER = "x-amz-date";
const AMZ_TOKEN_HEADER = "x-amz-security-token";
export const AUTHORIZATION_HEADER = "authorization";
export const HOST_HEADER = "host";
export const UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";
export const SIGNING_ALGORITHM_IDENTIFIER = "AWS4-HMAC-SHA256";

const unsigned = [
  "authorization", "cache-control", "connection", "expect", "from", "keep-alive", "max-forwards", "pragma", "referer", "te", "trailer",
  "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
];

const week = 7 * 24 * 3600;

export class AWSError extends Error {
  code?: string;

  constructor(message: string, code?: string) {
    super(message);
    this.name = "AWSError";
    this.code = code;
  }
}

export class InvalidAWSConfigError extends Error {}

export class InvalidSignatureError extends AWSError {
  constructor(message: string, code?: string) {
    super(message, code);
    this.name = "InvalidSignatureError";
  }
}

export class NetworkError extends Error {
  constructor(message: string, readonly code: number) {
    super(message);
    this.name = new.target.name;
  }
}

export class GeneralError extends NetworkError {}
export class DNSError extends NetworkError {}
export class TCPError extends NetworkError {}
export class TLSError extends NetworkError {}
export class HTTP2Error extends NetworkError {}

/** Where a service is: scheme, host and port. */
export class Endpoint {
  #protocol!: string;
  #hostname!: string;
  #port!: string;

  constructor(url: string) {
    this.href = url;
  }

  get href(): string {
    return `${this.#protocol}://${this.host}`;
  }

  set href(url: string) {
    const m = /^([a-z][a-z0-9+.-]*):\/\/(\[[^\]]*\]|[^/:?#]+)(?::(\d+))?/i.exec(url);
    if (!m) {
      throw new Error(`invalid endpoint: ${url}`);
    }
    [this.#protocol, this.#hostname, this.#port] = [m[1].toLowerCase(), m[2], m[3] ?? ""];
  }

  get protocol(): string {
    return this.#protocol;
  }

  set protocol(value: string) {
    this.#protocol = value.replace(/:$/, "");
  }

  get hostname(): string {
    return this.#hostname;
  }

  set hostname(value: string) {
    this.#hostname = value;
  }

  get port(): string {
    return this.#port;
  }

  set port(value: string | number) {
    this.#port = String(value);
  }

  get host(): string {
    return this.#port === "" ? this.#hostname : `${this.#hostname}:${this.#port}`;
  }

  set host(value: string) {
    const m = /^(\[[^\]]*\]|[^:]+)(?::(\d+))?$/.exec(value);
    [this.#hostname, this.#port] = [m?.[1] ?? value, m?.[2] ?? ""];
  }

  copy(): Endpoint {
    return new Endpoint(this.href);
  }
}

/** Who calls, and where. */
export class AWSConfig {
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  endpoint?: Endpoint;

  /** Takes an object, or as in early versions region, key id, secret and token. */
  constructor(options: any, ...rest: string[]) {
    if (typeof options === "string") {
      options = { region: options, accessKeyId: rest[0], secretAccessKey: rest[1], sessionToken: rest[2] };
    }
    const { region, accessKeyId, secretAccessKey, sessionToken, endpoint } = options;
    const need = (ok: any, what: string, reason: string): void => {
      if (!ok) {
        throw new InvalidAWSConfigError(`invalid AWS ${what}; reason: ${reason}`);
      }
    };
    need(region, "region", "expected a valid AWS region name (e.g. \"us-east-1\")");
    need(accessKeyId, "access key ID", "expected a non empty string");
    need(accessKeyId.length >= 16 && accessKeyId.length <= 128, "access key ID", "size should be between 16 and 128 characters");
    need(secretAccessKey, "secret access key", "expected a non empty string");
    [this.region, this.accessKeyId, this.secretAccessKey] = [region, accessKeyId, secretAccessKey];
    if (sessionToken !== undefined) {
      this.sessionToken = sessionToken;
    }
    if (endpoint !== undefined) {
      this.endpoint = typeof endpoint === "string" ? new Endpoint(endpoint) : endpoint;
    }
  }

  static fromEnvironment(options: any = {}): AWSConfig {
    return new AWSConfig({
      region: __ENV.AWS_REGION, accessKeyId: __ENV.AWS_ACCESS_KEY_ID, secretAccessKey: __ENV.AWS_SECRET_ACCESS_KEY,
      sessionToken: __ENV.AWS_SESSION_TOKEN, endpoint: options.endpoint,
    });
  }
}

export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function queryText(query: Query): string {
  return Object.keys(query).map((k): [string, string | string[]] => [encode(k), query[k]]).sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([k, v]) => (Array.isArray(v) ? [...v].sort() : [v]).map((one) => `${k}=${encode(String(one))}`)).join("&");
}

// normalised removes dot segments and empty ones.
function normalised(path: string): string {
  const segments: string[] = [];
  for (const s of path.split("/")) {
    if (s === "..") {
      segments.pop();
    } else if (s !== "" && s !== ".") {
      segments.push(s);
    }
  }
  const end = segments.length > 0 && path.endsWith("/") ? "/" : "";
  return `/${segments.join("/")}${end}`;
}

const stamp = (date: Date): string => date.toISOString().replace(/[-:]|\.\d+/g, "");

interface Request {
  method: string;
  endpoint: Endpoint;
  path: string;
  headers: Values;
  body?: any;
  query?: Query;
}

interface SignOptions {
  signingDate?: Date;
  signingService?: string;
  signingRegion?: string;
  unsignableHeaders?: Set<string>;
  signableHeaders?: Set<string>;
}

interface PresignOptions extends SignOptions {
  expiresIn?: number;
  unhoistableHeaders?: Set<string>;
}

/** Signs requests with version 4 signatures. */
export class SignatureV4 {
  #service: string;
  #region: string;
  #credentials: any;
  #escape: boolean;
  #checksum: boolean;

  constructor({ service, region, credentials, uriEscapePath = true, applyChecksum = true }: any) {
    [this.#service, this.#region, this.#credentials] = [service, region, credentials];
    [this.#escape, this.#checksum] = [uriEscapePath, applyChecksum];
  }

  /** The request with its address and with headers that sign it. */
  sign(request: Request, options: SignOptions = {}): any {
    const { headers } = request;
    const time = stamp(options.signingDate ?? new Date());
    const scope = this.#scope(time, options);
    for (const name of Object.keys(headers)) {
      if (["authorization", "x-amz-date", "date"].includes(name.toLowerCase())) {
        delete headers[name];
      }
    }
    headers[HOST_HEADER] = request.endpoint.hostname;
    headers[AMZ_DATE_HEADER] = time;
    if (this.#credentials.sessionToken) {
      headers[AMZ_TOKEN_HEADER] = this.#credentials.sessionToken;
    }
    const payload = payloadHash(headers, request.body);
    if (this.#checksum && !headers[AMZ_CONTENT_SHA256_HEADER]) {
      headers[AMZ_CONTENT_SHA256_HEADER] = payload;
    }
    const signed = signable(headers, options);
    const signature = this.#signature(request, signed, request.query ?? {}, payload, time, scope);
    headers[AUTHORIZATION_HEADER] =
      `${SIGNING_ALGORITHM_IDENTIFIER} Credential=${this.#credentials.accessKeyId}/${scope}, SignedHeaders=${namesOf(signed)}, Signature=${signature}`;
    return { ...request, headers, url: address(request, request.query ?? {}) };
  }

  /** The request with an address that is valid by itself for a while. */
  presign(request: Request, options: PresignOptions = {}): any {
    const { expiresIn = 3600 } = options;
    if (expiresIn > week) {
      throw new InvalidSignatureError("Signature version 4 presigned URLs can't be valid for more than 7 days");
    }
    const time = stamp(options.signingDate ?? new Date());
    const scope = this.#scope(time, options);
    const headers: Values = { ...request.headers, [HOST_HEADER]: request.endpoint.hostname };
    const query: Query = { ...request.query };
    const payload = payloadHash(headers, request.body);
    if (this.#credentials.sessionToken) {
      query[AMZ_TOKEN_QUERY_PARAM] = this.#credentials.sessionToken;
    }
    for (const name of Object.keys(headers)) {
      if (name.toLowerCase().startsWith("x-amz-") && !options.unhoistableHeaders?.has(name.toLowerCase())) {
        query[name] = headers[name];
        delete headers[name];
      }
    }
    const signed = signable(headers, options);
    query[AMZ_ALGORITHM_QUERY_PARAM] = SIGNING_ALGORITHM_IDENTIFIER;
    query[AMZ_CREDENTIAL_QUERY_PARAM] = `${this.#credentials.accessKeyId}/${scope}`;
    query[AMZ_DATE_QUERY_PARAM] = time;
    query[AMZ_EXPIRES_QUERY_PARAM] = String(expiresIn);
    query[AMZ_SIGNED_HEADERS_QUERY_PARAM] = namesOf(signed);
    query[AMZ_SIGNATURE_QUERY_PARAM] = this.#signature(request, signed, query, payload, time, scope);
    return { ...request, headers, query, url: address(request, query) };
  }

  #scope(time: string, options: SignOptions): string {
    return `${time.slice(0, 8)}/${options.signingRegion ?? this.#region}/${options.signingService ?? this.#service}/aws4_request`;
  }

  #signature(request: Request, headers: Values, query: Query, payload: string, time: string, scope: string): string {
    const names = Object.keys(headers).sort();
    const canonical = [
      request.method.toUpperCase(), this.#path(request.path), queryText(query), ...names.map((n) => `${n}:${headers[n]}`), "", names.join(";"), payload,
    ].join("\n");
    const text = [SIGNING_ALGORITHM_IDENTIFIER, time, scope, sha256(canonical, "hex")].join("\n");
    let key: any = `AWS4${this.#credentials.secretAccessKey}`;
    for (const part of scope.split("/")) {
      key = hmac("sha256", key, part, "binary");
    }
    return hmac("sha256", key, text, "hex");
  }

  #path(path: string): string {
    const rooted = path.startsWith("/") ? path : `/${path}`;
    return this.#escape ? encode(normalised(rooted)).replaceAll("%2F", "/") : rooted;
  }
}

const namesOf = (headers: Values): string => Object.keys(headers).sort().join(";");

// signable are the headers to sign, by their names in lower case.
function signable(headers: Values, options: SignOptions): Values {
  const found: Values = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    const left = unsigned.includes(lower) || options.unsignableHeaders?.has(lower);
    if (value !== undefined && (!left || options.signableHeaders?.has(lower))) {
      found[lower] = String(value).trim().replace(/\s+/g, " ");
    }
  }
  return found;
}

function payloadHash(headers: Values, body: any): string {
  if (headers[AMZ_CONTENT_SHA256_HEADER]) {
    return headers[AMZ_CONTENT_SHA256_HEADER];
  }
  return sha256(ArrayBuffer.isView(body) ? body.buffer : (body ?? ""), "hex");
}

function address(request: Request, query: Query): string {
  const text = queryText(query);
  const path = request.path.startsWith("/") ? request.path : `/${request.path}`;
  return `${request.endpoint.href}${path}${text === "" ? "" : `?${text}`}`;
}

closed("aws", SignatureV4);
closed("aws", Endpoint);
