// WebSockets as browsers have them: the virtual user goes on meanwhile, and its
// iteration lasts until all are closed.

declare module "k6/websockets" {
  export interface Params {
    headers?: { [name: string]: string };
    tags?: { [name: string]: string | number | boolean };
    jar?: import("k6/http").CookieJar;
    compression?: "deflate";
  }

  interface Event {
    type: string;
    timestamp: number;
    target: WebSocket;
  }

  export interface MessageEvent extends Event {
    data: string | ArrayBuffer | Blob;
    origin: string;
  }

  export interface CloseEvent extends Event {
    code: number;
    reason: string;
  }

  export interface ErrorEvent extends Event {
    error: string;
  }

  export class WebSocket {
    constructor(url: string, protocols?: string | string[] | null, params?: Params);
    static readonly CONNECTING: 0;
    static readonly OPEN: 1;
    static readonly CLOSING: 2;
    static readonly CLOSED: 3;
    readonly readyState: number;
    readonly url: string;
    readonly protocol: string;
    readonly extensions: string;
    readonly bufferedAmount: number;
    binaryType: "blob" | "arraybuffer";
    send(data: string | ArrayBuffer | ArrayBufferView | Blob): void;
    close(code?: number, reason?: string): void;
    ping(): void;
    addEventListener(type: "open" | "ping" | "pong", run: (event: Event) => void): void;
    addEventListener(type: "message", run: (event: MessageEvent) => void): void;
    addEventListener(type: "close", run: (event: CloseEvent) => void): void;
    addEventListener(type: "error", run: (event: ErrorEvent) => void): void;
    onopen: ((event: Event) => void) | null;
    onping: ((event: Event) => void) | null;
    onpong: ((event: Event) => void) | null;
    onmessage: ((event: MessageEvent) => void) | null;
    onclose: ((event: CloseEvent) => void) | null;
    onerror: ((event: ErrorEvent) => void) | null;
  }

  export class Blob {
    constructor(parts?: (string | ArrayBuffer | ArrayBufferView | Blob)[], options?: { type?: string });
    readonly size: number;
    readonly type: string;
    text(): Promise<string>;
    arrayBuffer(): Promise<ArrayBuffer>;
    slice(start?: number, end?: number, type?: string): Blob;
  }

  const websockets: { WebSocket: typeof WebSocket; Blob: typeof Blob };
  export default websockets;
}

declare module "jsload/websockets" {
  export * from "k6/websockets";
  export { default } from "k6/websockets";
}
