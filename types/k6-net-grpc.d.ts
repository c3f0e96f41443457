// gRPC: calls that block the virtual user, and streams that do not.

declare module "k6/net/grpc" {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  type Message = { [field: string]: any };
  /** Values of keys that end in -bin are bytes. */
  type Metadata = { [key: string]: string | ArrayBuffer };

  export interface ConnectParams {
    plaintext?: boolean;
    /** Ask the server for its methods instead of loading files. */
    reflect?: boolean;
    reflectMetadata?: Metadata;
    timeout?: string | number;
    /** In bytes. */
    maxReceiveSize?: number;
    maxSendSize?: number;
    tls?: { cert?: string; key?: string; password?: string; cacerts?: string | string[] };
    authority?: string;
  }

  export interface Params {
    metadata?: Metadata;
    tags?: { [name: string]: string | number | boolean };
    timeout?: string | number;
    discardResponseMessage?: boolean;
  }

  export interface Response {
    status: number;
    message: Message;
    headers: { [key: string]: string[] };
    trailers: { [key: string]: string[] };
    error: { code: number; message: string; details: Message[] } | null;
  }

  export interface MethodInfo {
    package: string;
    service: string;
    fullMethod: string;
    isClientStream: boolean;
    isServerStream: boolean;
  }

  export class Client {
    /** Init code only. */
    load(importPaths: string[] | null, ...files: string[]): MethodInfo[];
    loadProtoset(file: string): MethodInfo[];
    connect(address: string, params?: ConnectParams): boolean;
    /** The method is written package.Service/Method. */
    invoke(method: string, request: Message, params?: Params): Response;
    asyncInvoke(method: string, request: Message, params?: Params): Promise<Response>;
    healthCheck(service?: string, params?: Params): Response;
    close(): void;
  }

  export class Stream {
    constructor(client: Client, method: string, params?: Params);
    on(event: "data", run: (message: Message, metadata: { ts: number }) => void): void;
    on(event: "error", run: (error: { code: number; message: string; details: Message[] }) => void): void;
    on(event: "end", run: () => void): void;
    on(event: "status", run: (status: { code: number; message: string }) => void): void;
    write(message: Message): void;
    end(): void;
  }

  export const StatusOK: number;
  export const StatusCanceled: number;
  export const StatusUnknown: number;
  export const StatusInvalidArgument: number;
  export const StatusDeadlineExceeded: number;
  export const StatusNotFound: number;
  export const StatusAlreadyExists: number;
  export const StatusPermissionDenied: number;
  export const StatusResourceExhausted: number;
  export const StatusFailedPrecondition: number;
  export const StatusAborted: number;
  export const StatusOutOfRange: number;
  export const StatusUnimplemented: number;
  export const StatusInternal: number;
  export const StatusUnavailable: number;
  export const StatusDataLoss: number;
  export const StatusUnauthenticated: number;
  export const HealthCheckServing: number;
  export const HealthCheckNotServing: number;
  export const HealthCheckUnknown: number;
  export const HealthCheckServiceUnkown: number;

  const grpc: {
    Client: typeof Client;
    Stream: typeof Stream;
    StatusOK: number;
    StatusCanceled: number;
    StatusUnknown: number;
    StatusInvalidArgument: number;
    StatusDeadlineExceeded: number;
    StatusNotFound: number;
    StatusAlreadyExists: number;
    StatusPermissionDenied: number;
    StatusResourceExhausted: number;
    StatusFailedPrecondition: number;
    StatusAborted: number;
    StatusOutOfRange: number;
    StatusUnimplemented: number;
    StatusInternal: number;
    StatusUnavailable: number;
    StatusDataLoss: number;
    StatusUnauthenticated: number;
    HealthCheckServing: number;
    HealthCheckNotServing: number;
    HealthCheckUnknown: number;
    HealthCheckServiceUnkown: number;
  };
  export default grpc;
}

declare module "jsload/net/grpc" {
  export * from "k6/net/grpc";
  export { default } from "k6/net/grpc";
}
