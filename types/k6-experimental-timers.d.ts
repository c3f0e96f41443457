// The old name of k6/timers.

declare module "k6/experimental/timers" {
  export * from "k6/timers";
  export { default } from "k6/timers";
}

declare module "jsload/experimental/timers" {
  export * from "k6/timers";
  export { default } from "k6/timers";
}
