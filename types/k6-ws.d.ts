// WebSocket sessions by callbacks: the virtual user waits until the session ends.

declare module "k6/ws" {
  export interface Params {
    headers?: { [name: string]: string };
    tags?: { [name: string]: string | number | boolean };
    jar?: import("k6/http").CookieJar;
    compression?: "deflate";
  }

  export interface Socket {
    on(event: "open" | "ping" | "pong", run: () => void): void;
    on(event: "message", run: (text: string) => void): void;
    on(event: "binaryMessage", run: (data: ArrayBuffer) => void): void;
    on(event: "close", run: (code: number) => void): void;
    on(event: "error", run: (error: { error(): string }) => void): void;
    send(text: string): void;
    sendBinary(data: ArrayBuffer): void;
    ping(): void;
    close(code?: number): void;
    setTimeout(run: () => void, milliseconds: number): void;
    setInterval(run: () => void, milliseconds: number): void;
  }

  export interface Response {
    url: string;
    /** 101 if there was a session. */
    status: number;
    headers: { [name: string]: string };
    body: string;
    error: string;
  }

  export function connect(url: string, run: (socket: Socket) => void): Response;
  export function connect(url: string, params: Params | null | undefined, run: (socket: Socket) => void): Response;

  const ws: { connect: typeof connect };
  export default ws;
}

declare module "jsload/ws" {
  export * from "k6/ws";
  export { default } from "k6/ws";
}
