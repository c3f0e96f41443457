// expect and functional: the assertions that came before k6chaijs.

import { check, group } from "k6";

import { closed } from "./provided.ts";
import { mismatches } from "./schema.ts";

class Failure extends Error {}

/** A chain of assertions; the first that fails ends the block. */
class Chain {
  #value: any;
  #name?: string;
  #lenient: boolean;

  /** Lenient chains, those of version 0.0.4, go on after a schema that does not match. */
  constructor(value: any, lenient: boolean) {
    this.#value = value;
    this.#lenient = lenient;
  }

  /** Names the value in checks. */
  as(name: string): this {
    this.#name = name;
    return this;
  }

  /** Goes on with another value. */
  and(value: any): this {
    this.#value = value;
    this.#name = undefined;
    return this;
  }

  toEqual(x: any): this {
    const passed = this.#value === x;
    if (this.#name === undefined) {
      return this.#record(passed, `${this.#value} is ${x}`);
    }
    return this.#record(passed, passed ? `${this.#name} is ${x}.` : `${this.#name} is ${this.#value}. Expected '${x}'`);
  }

  toBeGreaterThan(x: any): this {
    return this.#record(this.#value > x, `${this.#subject()} is greater than ${x}`);
  }

  toBeGreaterThanOrEqual(x: any): this {
    return this.#record(this.#value >= x, `${this.#subject()} is greater or equal to ${x}`);
  }

  toBeLessThan(x: any): this {
    return this.#record(this.#value < x, `${this.#subject()} is less than ${x}`);
  }

  toBeLessThanOrEqual(x: any): this {
    return this.#record(this.#value <= x, `${this.#subject()} is less or equal to ${x}`);
  }

  toBeTruthy(): this {
    return this.#record(!!this.#value, `${this.#subject()} is truthy.`);
  }

  toBeBetween(from: any, to: any): this {
    return this.#record(this.#value >= from && this.#value <= to, `${this.#subject()} is between ${from} - ${to}`);
  }

  /** Whether a response has a JSON body. */
  toHaveValidJson(): this {
    if (typeof this.#value?.json !== "function") {
      console.error("toHaveValidJson() needs a response");
      throw new Failure("no response");
    }
    let passed = false;
    try {
      passed = this.#value.body !== null && this.#value.json() !== undefined;
    } catch {
      // The body is no JSON.
    }
    return this.#record(passed, `${this.#name ?? this.#value.url} has valid json response`, false);
  }

  /** Whether a value has the form that a JSON schema describes. */
  toMatchAPISchema(schema: any): this {
    const found = mismatches(schema, this.#value);
    for (const { dataPath, message } of found) {
      check(null, { [`${dataPath} ${message}`.trimStart()]: () => false });
    }
    check(null, { [`${this.#subject()} schema validation`]: () => found.length === 0 });
    if (found.length > 0 && !this.#lenient) {
      throw new Failure("schema validation");
    }
    return this;
  }

  #subject(): any {
    return this.#name ?? this.#value;
  }

  #record(passed: boolean, name: string, tagged = true): this {
    check(null, { [name]: () => passed }, tagged ? { value: String(this.#value) } : undefined);
    if (!passed) {
      throw new Failure(name);
    }
    return this;
  }
}

closed("expect", Chain);

/** Runs a block of assertions in a group; whether all held. */
export const describe = (name: string, fn: Block): boolean => run(name, fn, false);

/** The same with lenient chains. */
export const describe004 = (name: string, fn: Block): boolean => run(name, fn, true);

type Block = (t: { expect(value: any): Chain }) => any;

function run(name: string, fn: Block, lenient: boolean): boolean {
  let ok = true;
  group(name, () => {
    try {
      fn({ expect: (value: any) => new Chain(value, lenient) });
    } catch (e) {
      ok = false;
      if (!(e instanceof Failure)) {
        console.error(`Exception raised in test "${name}". Failing the test and continuing. \n${e}`);
        check(null, { [`Exception raised "${e}"`]: () => false });
      }
    }
  });
  return ok;
}
