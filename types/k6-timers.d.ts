// Timers. An iteration lasts until none of its timers is left.

declare module "k6/timers" {
  export function setTimeout(run: (...args: never[]) => void, milliseconds?: number, ...args: unknown[]): number;
  export function setInterval(run: (...args: never[]) => void, milliseconds?: number, ...args: unknown[]): number;
  export function clearTimeout(id?: number): void;
  export function clearInterval(id?: number): void;

  const timers: {
    setTimeout: typeof setTimeout; setInterval: typeof setInterval;
    clearTimeout: typeof clearTimeout; clearInterval: typeof clearInterval;
  };
  export default timers;
}

declare module "jsload/timers" {
  export * from "k6/timers";
  export { default } from "k6/timers";
}
