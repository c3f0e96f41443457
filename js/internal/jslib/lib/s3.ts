// aws: the client of S3.

import http from "k6/http";

import { AWSConfig, AWSError, DNSError, encode, Endpoint, GeneralError, HTTP2Error, SignatureV4, TCPError, TLSError } from "./aws.ts";
import { closed } from "./provided.ts";

export * from "./aws.ts";

type Values = Record<string, string>;

export class S3Bucket {
  constructor(readonly name: string, readonly creationDate: number) {}
}

export class S3Object {
  constructor(
    readonly key: string, readonly lastModified: number, readonly etag: string, readonly size: number,
    readonly storageClass: string | undefined, readonly data?: string | ArrayBuffer | null,
  ) {}
}

export class S3MultipartUpload {
  constructor(readonly key: string, readonly uploadId: string) {}
}

export class S3Part {
  constructor(readonly partNumber: number, readonly eTag: string) {}
}

export class S3ServiceError extends AWSError {
  constructor(message: string, code: string, readonly operation: string) {
    super(message, code);
    this.name = "S3ServiceError";
  }
}

const entities: Values = { amp: "&", lt: "<", gt: ">", quot: "\"", apos: "'" };

const plain = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) =>
    (name ? entities[name] ?? whole : String.fromCodePoint(parseInt(hex ?? decimal, hex ? 16 : 10))));

// all are the contents of the elements of a name.
const all = (xml: string, name: string): string[] => [...xml.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, "g"))].map((m) => m[1]);

const text = (xml: string, name: string): string => plain(all(xml, name)[0] ?? "");

const escaped = (value: string): string => value.replace(/[&<>]/g, (c) => `&${{ "&": "amp", "<": "lt", ">": "gt" }[c]};`);

const putHeaders: Values = {
  contentDisposition: "Content-Disposition", contentEncoding: "Content-Encoding", contentLength: "Content-Length",
  contentMD5: "Content-MD5", contentType: "Content-Type",
};

interface Call {
  operation: string;
  method: string;
  path?: string;
  query?: Values;
  headers?: Values;
  body?: any;
  responseType?: string;
  read?(response: any): any;
}

/** Reads and writes buckets; each method waits for its answer. */
export class S3ClientSync {
  #config: AWSConfig;
  #signature: SignatureV4;
  #endpoint?: Endpoint;

  constructor(config: AWSConfig) {
    this.#config = config;
    this.#endpoint = config.endpoint;
    const { region, accessKeyId, secretAccessKey, sessionToken } = config;
    this.#signature = new SignatureV4({
      service: "s3", region, credentials: { accessKeyId, secretAccessKey, sessionToken }, uriEscapePath: false, applyChecksum: true,
    });
  }

  get endpoint(): Endpoint {
    return this.#endpoint ??= new Endpoint(`https://s3.${this.#config.region}.amazonaws.com`);
  }

  set endpoint(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  listBuckets(): any {
    return this.#call({
      operation: "ListBuckets", method: "GET",
      read: (r) => all(r.body, "Bucket").map((b) => new S3Bucket(text(b, "Name"), Date.parse(text(b, "CreationDate")))),
    });
  }

  listObjects(bucket: string, prefix?: string): any {
    return this.#call({
      operation: "ListObjectsV2", method: "GET", path: bucketPath(bucket), query: { "list-type": "2", ...prefix && { prefix } },
      read: (r) => all(r.body, "Contents").map((c) => new S3Object(
        text(c, "Key"), Date.parse(text(c, "LastModified")), text(c, "ETag"), Number(text(c, "Size")), text(c, "StorageClass"))),
    });
  }

  getObject(bucket: string, key: string, additionalHeaders: Values = {}): any {
    const binary = Object.entries(additionalHeaders).some(([name, value]) => name.toLowerCase() === "accept" && value === "application/octet-stream");
    return this.#call({
      operation: "GetObject", method: "GET", path: objectPath(bucket, key), headers: additionalHeaders, responseType: binary ? "binary" : "text",
      read: ({ headers, body }) => new S3Object(
        key, Date.parse(headers["Last-Modified"]), headers["Etag"], Number(headers["Content-Length"]), headers["X-Amz-Storage-Class"] ?? "STANDARD", body),
    });
  }

  putObject(bucket: string, key: string, data: string | ArrayBuffer, params: any = {}): any {
    const headers: Values = {};
    for (const [name, header] of Object.entries(putHeaders)) {
      if (params?.[name] !== undefined) {
        headers[header] = String(params[name]);
      }
    }
    return this.#call({ operation: "PutObject", method: "PUT", path: objectPath(bucket, key), headers, body: data });
  }

  deleteObject(bucket: string, key: string): any {
    return this.#call({ operation: "DeleteObject", method: "DELETE", path: objectPath(bucket, key) });
  }

  copyObject(sourceBucket: string, sourceKey: string, bucket: string, key: string): any {
    const headers = { "x-amz-copy-source": `${sourceBucket}/${keyPath(sourceKey)}` };
    return this.#call({ operation: "CopyObject", method: "PUT", path: objectPath(bucket, key), headers });
  }

  createMultipartUpload(bucket: string, key: string): any {
    return this.#call({
      operation: "CreateMultipartUpload", method: "POST", path: objectPath(bucket, key), query: { uploads: "" },
      read: (r) => new S3MultipartUpload(text(r.body, "Key") || key, text(r.body, "UploadId")),
    });
  }

  uploadPart(bucket: string, key: string, uploadId: string, partNumber: number, data: string | ArrayBuffer): any {
    return this.#call({
      operation: "UploadPart", method: "PUT", path: objectPath(bucket, key), query: { partNumber: String(partNumber), uploadId }, body: data,
      read: (r) => new S3Part(partNumber, r.headers["Etag"]),
    });
  }

  completeMultipartUpload(bucket: string, key: string, uploadId: string, parts: S3Part[]): any {
    const list = parts.map((p) => `<Part><PartNumber>${p.partNumber}</PartNumber><ETag>${escaped(p.eTag)}</ETag></Part>`);
    return this.#call({
      operation: "CompleteMultipartUpload", method: "POST", path: objectPath(bucket, key), query: { uploadId },
      body: `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join("")}</CompleteMultipartUpload>`,
      // This operation may fail after its status was sent.
      read: (r) => judge("CompleteMultipartUpload", { ...r, status: /<Error>/.test(r.body) ? 500 : r.status }),
    });
  }

  abortMultipartUpload(bucket: string, key: string, uploadId: string): any {
    return this.#call({ operation: "AbortMultipartUpload", method: "DELETE", path: objectPath(bucket, key), query: { uploadId } });
  }

  /** Sends a request and gives what to wait for. */
  protected send(method: string, url: string, body: any, params: any, done: (response: any) => any): any {
    return done(http.request(method, url, body, params));
  }

  #call({ operation, method, path = "/", query = {}, headers = {}, body, responseType = "text", read }: Call): any {
    const signed = this.#signature.sign({ method, endpoint: this.endpoint, path, query, headers: { ...headers }, body }, {});
    return this.send(method, signed.url, body ?? null, { headers: signed.headers, responseType }, (response) => {
      judge(operation, response);
      return read?.(response);
    });
  }
}

/** The same by promises. */
export class S3Client extends S3ClientSync {
  protected send(method: string, url: string, body: any, params: any, done: (response: any) => any): any {
    return http.asyncRequest(method, url, body, params).then(done);
  }
}

const bucketPath = (bucket: string): string => `/${encode(bucket)}`;

const keyPath = (key: string): string => key.split("/").map(encode).join("/");

const objectPath = (bucket: string, key: string): string => `${bucketPath(bucket)}/${keyPath(key)}`;

// byCode are the errors of a network, by the code of the request divided by 100.
const byCode: Record<number, typeof GeneralError> = { 11: DNSError, 12: TCPError, 13: TLSError, 16: HTTP2Error };

// judge throws what a response says went wrong.
function judge(operation: string, { status, error, error_code, body }: any): void {
  if (status >= 200 && status < 300) {
    return;
  }
  if (status === 0) {
    const Kind = byCode[Math.floor(error_code / 100)] ?? GeneralError;
    throw new Kind(error, error_code);
  }
  const xml = typeof body === "string" ? body : "";
  throw new S3ServiceError(text(xml, "Message") || `status ${status}`, text(xml, "Code") || String(status), operation);
}

closed("aws", S3ClientSync);
closed("aws", S3Client);
