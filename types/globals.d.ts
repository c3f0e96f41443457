// The globals of every script, beside those of the language. They stand in for
// the libraries of browsers and of Node: leave both out of tsconfig.json.

/** The variables of --env and of the system. */
declare const __ENV: { [name: string]: string };
/** The number of the virtual user, from 1; 0 in setup and teardown. */
declare const __VU: number;
/** The number of its iteration, from 0. */
declare const __ITER: number;

/** The content of a file beside the module, as text, or as bytes with "b". Init code only. */
declare function open(path: string): string;
declare function open(path: string, mode: "b"): ArrayBuffer;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
declare function require(module: string): any;

declare const console: {
  log(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  info(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
};

declare function setTimeout(run: (...args: never[]) => void, milliseconds?: number, ...args: unknown[]): number;
declare function setInterval(run: (...args: never[]) => void, milliseconds?: number, ...args: unknown[]): number;
declare function clearTimeout(id?: number): void;
declare function clearInterval(id?: number): void;
declare function queueMicrotask(run: () => void): void;
declare function structuredClone<T>(value: T, options?: { transfer?: unknown[] }): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;

declare const performance: { now(): number; readonly timeOrigin: number };

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams {
  constructor(init?: string | URLSearchParams | Iterable<[string, string]> | { [name: string]: string });
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(visit: (value: string, name: string, params: URLSearchParams) => void): void;
  entries(): IterableIterator<[string, string]>;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}

declare class Event {
  constructor(type: string, init?: { bubbles?: boolean; cancelable?: boolean });
  readonly type: string;
  readonly target: EventTarget | null;
  readonly currentTarget: EventTarget | null;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly defaultPrevented: boolean;
  readonly timeStamp: number;
  preventDefault(): void;
  stopPropagation(): void;
  stopImmediatePropagation(): void;
}

declare class EventTarget {
  addEventListener(type: string, listener: ((event: Event) => void) | null, options?: { once?: boolean; signal?: AbortSignal }): void;
  removeEventListener(type: string, listener: ((event: Event) => void) | null): void;
  dispatchEvent(event: Event): boolean;
}

declare class AbortSignal extends EventTarget {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static timeout(milliseconds: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: unknown;
  onabort: ((event: Event) => void) | null;
  throwIfAborted(): void;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly code: number;
}
