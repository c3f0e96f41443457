// formdata: multipart bodies.

import { closed } from "./provided.ts";

type Data = string | ArrayBuffer | ArrayBufferView | number[];

interface FileData {
  data: Data;
  filename?: string;
  content_type?: string;
}

interface Part {
  field: string;
  data: Uint8Array;
  contentType: string;
  filename?: string;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function bytesOf(data: any): Uint8Array {
  if (data instanceof ArrayBuffer) {
    return new Uint8Array(data);
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (Array.isArray(data)) {
    return Uint8Array.from(data);
  }
  return encode(data === undefined || data === null ? "" : String(data));
}

function partOf(field: string, value: any): Part {
  if (value === null || typeof value !== "object") {
    return { field, data: bytesOf(value), contentType: "text/plain" };
  }
  const file: FileData = value;
  return { field, data: bytesOf(file.data), contentType: file.content_type || "application/octet-stream", filename: file.filename };
}

function join(chunks: Uint8Array[]): ArrayBuffer {
  const all = new Uint8Array(chunks.reduce((size, c) => size + c.length, 0));
  let at = 0;
  for (const c of chunks) {
    all.set(c, at);
    at += c.length;
  }
  return all.buffer;
}

/** A form with fields and files; works with and without new. */
export const FormData: any = function FormData(this: any) {
  const form = new.target ? this : Object.create(FormData.prototype);
  form.boundary = `------RWWorkerFormDataBoundary${Math.random().toString(36)}`;
  form.parts = [];
  return form;
};

FormData.prototype.append = function append(this: any, field: string, value: any): void {
  if (arguments.length < 2) {
    throw new SyntaxError("Not enough arguments");
  }
  this.parts.push(partOf(field, value));
};

/** The body of the request, to be sent as multipart/form-data; boundary=BOUNDARY. */
FormData.prototype.body = function body(this: any): ArrayBuffer {
  const chunks: Uint8Array[] = [];
  for (const p of this.parts as Part[]) {
    const file = p.filename === undefined ? "" : `; filename="${String(p.filename).replaceAll('"', "%22")}"`;
    const head = `--${this.boundary}\r\nContent-Disposition: form-data; name="${p.field}"${file}\r\nContent-Type: ${p.contentType}\r\n\r\n`;
    chunks.push(encode(head), p.data, encode("\r\n"));
  }
  chunks.push(encode(`--${this.boundary}--\r\n`));
  return join(chunks);
};

closed("formdata", FormData);
