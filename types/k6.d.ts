// What a script does itself: checks, groups, pauses.

declare module "k6" {
  /** Values that can be tags: they become text. */
  export type Tags = { [name: string]: string | number | boolean };

  /**
   * Judges a value by named conditions and counts the outcome of each. A condition
   * is a function of the value, which must not be async, or a value. True if all hold.
   */
  export function check<T>(
    value: T,
    conditions: { [name: string]: ((value: T) => unknown) | string | number | boolean | null | undefined },
    tags?: Tags,
  ): boolean;

  /** Runs a function whose samples carry the group's path. The name must not contain "::". */
  export function group<T>(name: string, run: () => T): T;

  /** Waits; the virtual user does nothing meanwhile. */
  export function sleep(seconds: number): void;

  /** Throws: the iteration ends here. */
  export function fail(message?: string): never;

  /** Starts Math.random of this virtual user anew from a number. */
  export function randomSeed(seed: number): void;

  const k6: {
    check: typeof check;
    group: typeof group;
    sleep: typeof sleep;
    fail: typeof fail;
    randomSeed: typeof randomSeed;
  };
  export default k6;
}

declare module "jsload" {
  export * from "k6";
  export { default } from "k6";
}
