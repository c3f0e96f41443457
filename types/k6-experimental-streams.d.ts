// Streams as browsers have them.

declare module "k6/experimental/streams" {
  interface Strategy<T> {
    highWaterMark?: number;
    size?(chunk: T): number;
  }

  export class CountQueuingStrategy {
    constructor(init: { highWaterMark: number });
    readonly highWaterMark: number;
    size(): 1;
  }

  interface ReadableStreamController<T> {
    readonly desiredSize: number | null;
    enqueue(chunk: T): void;
    close(): void;
    error(reason?: unknown): void;
  }

  export class ReadableStream<T = unknown> {
    constructor(
      source?: {
        start?(controller: ReadableStreamController<T>): unknown;
        pull?(controller: ReadableStreamController<T>): unknown;
        cancel?(reason?: unknown): unknown;
      },
      strategy?: Strategy<T>,
    );
    readonly locked: boolean;
    cancel(reason?: unknown): Promise<void>;
    getReader(): ReadableStreamDefaultReader<T>;
  }

  export class ReadableStreamDefaultReader<T = unknown> {
    constructor(stream: ReadableStream<T>);
    readonly closed: Promise<void>;
    read(): Promise<{ done: false; value: T } | { done: true; value: undefined }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  }

  interface WritableStreamController {
    error(reason?: unknown): void;
  }

  export class WritableStream<T = unknown> {
    constructor(
      sink?: {
        start?(controller: WritableStreamController): unknown;
        write?(chunk: T, controller: WritableStreamController): unknown;
        close?(): unknown;
        abort?(reason?: unknown): unknown;
      },
      strategy?: Strategy<T>,
    );
    readonly locked: boolean;
    abort(reason?: unknown): Promise<void>;
    close(): Promise<void>;
    getWriter(): WritableStreamDefaultWriter<T>;
  }

  export class WritableStreamDefaultWriter<T = unknown> {
    constructor(stream: WritableStream<T>);
    readonly closed: Promise<void>;
    readonly ready: Promise<void>;
    readonly desiredSize: number | null;
    write(chunk: T): Promise<void>;
    close(): Promise<void>;
    abort(reason?: unknown): Promise<void>;
    releaseLock(): void;
  }

  const streams: {
    CountQueuingStrategy: typeof CountQueuingStrategy;
    ReadableStream: typeof ReadableStream;
    ReadableStreamDefaultReader: typeof ReadableStreamDefaultReader;
    WritableStream: typeof WritableStream;
    WritableStreamDefaultWriter: typeof WritableStreamDefaultWriter;
  };
  export default streams;
}

declare module "jsload/experimental/streams" {
  export * from "k6/experimental/streams";
  export { default } from "k6/experimental/streams";
}
