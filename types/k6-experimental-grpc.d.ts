// The old name of k6/net/grpc.

declare module "k6/experimental/grpc" {
  export * from "k6/net/grpc";
  export { default } from "k6/net/grpc";
}

declare module "jsload/experimental/grpc" {
  export * from "k6/net/grpc";
  export { default } from "k6/net/grpc";
}
