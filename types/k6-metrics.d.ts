// Metrics of a script's own. They are made in the init code.

declare module "k6/metrics" {
  type Tags = { [name: string]: string | number | boolean };

  abstract class Metric {
    /** isTime shows values as durations; they are given in milliseconds. */
    constructor(name: string, isTime?: boolean);
    readonly name: string;
    /** Adds a value; false if it is no number. */
    add(value: number | boolean, tags?: Tags): boolean;
  }

  /** A sum. */
  export class Counter extends Metric {}
  /** The last value, with the least and the greatest. */
  export class Gauge extends Metric {}
  /** How many values were true. */
  export class Rate extends Metric {}
  /** A distribution: average, percentiles and so on. */
  export class Trend extends Metric {}

  const metrics: { Counter: typeof Counter; Gauge: typeof Gauge; Rate: typeof Rate; Trend: typeof Trend };
  export default metrics;
}

declare module "jsload/metrics" {
  export * from "k6/metrics";
  export { default } from "k6/metrics";
}
