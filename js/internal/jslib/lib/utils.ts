// k6-utils: random data, stages, and a check that can wait.

import { check as record } from "k6";

export * from "./random.ts";
export * from "./stages.ts";

type Checkers = Record<string, unknown>;

const isPromise = (v: any): v is Promise<unknown> => v !== null && typeof v === "object" && typeof v.then === "function";

/**
 * Records one check for each checker, a function of the value, a promise, or a
 * value. The result is a promise if anything has to be waited for.
 */
export function checkValue(value: unknown, checkers: Checkers, tags?: object): boolean | Promise<boolean> {
  const waiting: Promise<boolean>[] = [];
  let all = true;
  for (const [name, checker] of Object.entries(checkers)) {
    const result = typeof checker === "function" ? checker(value) : checker;
    if (isPromise(result)) {
      waiting.push(result.then((r) => note(name, r, tags)));
    } else if (!note(name, result, tags)) {
      all = false;
    }
  }
  if (waiting.length === 0) {
    return all;
  }
  return Promise.all(waiting).then((results) => all && results.every(Boolean));
}

/** checkValue of what may be a promise of the value. */
export function check(value: unknown, checkers: Checkers, tags?: object): boolean | Promise<boolean> {
  if (isPromise(value)) {
    return value.then((v) => checkValue(v, checkers, tags));
  }
  return checkValue(value, checkers, tags);
}

function note(name: string, result: unknown, tags?: object): boolean {
  return record(null, { [name]: () => !!result }, tags);
}
