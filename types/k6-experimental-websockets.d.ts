// The old name of k6/websockets.

declare module "k6/experimental/websockets" {
  export * from "k6/websockets";
  export { default } from "k6/websockets";
}

declare module "jsload/experimental/websockets" {
  export * from "k6/websockets";
  export { default } from "k6/websockets";
}
