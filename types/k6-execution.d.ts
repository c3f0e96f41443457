// Where a script is: its scenario, its virtual user, the test.

declare module "k6/execution" {
  /** Of the running iteration; throws outside of scenario functions. */
  export const scenario: {
    readonly name: string;
    readonly executor: string;
    /** Milliseconds since 1970. */
    readonly startTime: number;
    /** From 0 to 1. */
    readonly progress: number;
    readonly iterationInInstance: number;
    /** Unique over all instances of the test, from 0. */
    readonly iterationInTest: number;
  };

  export const instance: {
    /** In milliseconds. */
    readonly currentTestRunDuration: number;
    readonly iterationsCompleted: number;
    readonly iterationsInterrupted: number;
    readonly vusActive: number;
    readonly vusInitialized: number;
  };

  type Values = { [name: string]: string | number | boolean };

  export const vu: {
    /** From 1. */
    readonly idInInstance: number;
    readonly idInTest: number;
    readonly iterationInInstance: number;
    readonly iterationInScenario: number;
    /** Tags of all samples of this virtual user until the scenario changes. */
    readonly tags: Values;
    readonly metrics: {
      readonly tags: Values;
      /** Goes with samples, but cannot be used in thresholds. */
      readonly metadata: Values;
    };
  };

  export const test: {
    /** Stops the test: exit code 108. */
    abort(message?: string): never;
    /** Lets the test run on, but end with exit code 110. */
    fail(message?: string): void;
    /** The options of the whole test, with every member set. */
    readonly options: import("k6/options").Options;
  };

  const execution: { scenario: typeof scenario; instance: typeof instance; vu: typeof vu; test: typeof test };
  export default execution;
}

declare module "jsload/execution" {
  export * from "k6/execution";
  export { default } from "k6/execution";
}
