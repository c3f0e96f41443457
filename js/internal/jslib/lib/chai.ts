// k6chaijs: assertions that record checks.

import { check, group } from "k6";
import exec from "k6/execution";

import { deeplyEqual, inspect, kindOf, pathOf } from "./inspect.ts";
import { provided } from "./provided.ts";

/** What versions do differently. */
interface Features {
  /** The names of checks leave values out, so that equal steps are one check. */
  aggregate: boolean;
  /** The samples of checks carry the values as tags. */
  tagged: boolean;
  /** There is chai.config.exitOnError. */
  exits: boolean;
}

export class AssertionError extends Error {
  name = "AssertionError";

  constructor(message: string, readonly actual?: any, readonly expected?: any, readonly showDiff = false, readonly operator?: string) {
    super(message);
  }
}

// Words that do nothing, and flags that what follows them looks at.
const words = ["to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still", "also"];
const flags = ["not", "deep", "nested", "own", "ordered", "any", "all"];

// What chai has and this has not.
const lacking = ["respondTo", "respondsTo", "itself", "change", "changes", "increase", "increases", "decrease", "decreases", "by", "arguments", "Arguments"];

const state = Symbol("state");

interface State {
  object: any;
  name?: string;
  /** What stands for the value, if it must not be shown. */
  display?: string;
  [flag: string]: any;
}

// distance counts the edits between two names, up to a limit.
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

function misspelt(name: string, known: string[]): Error {
  if (lacking.includes(name)) {
    return new Error(`${name} is not provided by jsload's k6chaijs`);
  }
  const near = known.map((k): [number, string] => [distance(name, k), k]).filter(([d]) => d < 4).sort(([a], [b]) => a - b);
  return new Error(`Invalid Chai property: ${name}.${near.length > 0 ? ` Did you mean "${near[0][1]}"?` : ""}`);
}

const article = (type: string): string => (/^[aeiou]/i.test(type) ? "an" : "a");

/** Makes the library of a version. */
function make(features: Features): any {
  const config: Record<string, any> = { truncateMsgThreshold: 300, logFailures: false, includeStack: false, showDiff: true };
  config[features.aggregate ? "truncateVariableThreshold" : "truncateValueThreshold"] = 100;
  if (features.aggregate) {
    config.aggregateChecks = true;
  }
  if (features.exits) {
    config.exitOnError = false;
  }

  const shorten = (text: string): string => {
    const limit = config.truncateVariableThreshold ?? config.truncateMsgThreshold;
    return text.length > limit ? `${text.slice(0, limit)}...` : text;
  };

  /** A value under assertion. */
  class Assertion {
    [state]: State;

    constructor(object: any, name?: string) {
      this[state] = { object, name };
    }

    get _obj(): any {
      return this[state].object;
    }

    set _obj(value: any) {
      this[state].object = value;
    }

    /** Records a check, and throws if it failed. The texts have #{this}, #{exp} and #{act} in them. */
    assert(ok: any, text: string, negated: string, expected?: any, actual?: any): void {
      const s = this[state];
      const passed = s.not ? !ok : !!ok;
      const act = arguments.length > 4 ? actual : s.object;
      const template = s.not ? negated : text;
      const fill = (self: string, received: string): string =>
        template.replaceAll("#{this}", () => self).replaceAll("#{exp}", () => inspect(expected)).replaceAll("#{act}", () => received);
      const values = fill(s.display ?? inspect(s.object), s.display ?? inspect(act));
      const message = s.name === undefined ? values : `${s.name}: ${values}`;
      const aggregated = features.aggregate && config.aggregateChecks;
      const label = aggregated ? fill(s.display ?? s.name ?? "${this}", "${actual}").replace("but ", "") : message;
      const tags = features.tagged ? { this: inspect(s.object), actual: inspect(act), expected: inspect(expected) } : undefined;
      check(null, { [shorten(label)]: () => passed }, tags);
      if (!passed) {
        this.fail(message, act, expected);
      }
    }

    private fail(message: string, actual: any, expected: any): never {
      if (config.logFailures) {
        console.warn(message);
      }
      if (features.exits && config.exitOnError) {
        exec.test.abort(message);
      }
      throw new AssertionError(message, actual, expected, config.showDiff, this[state].not ? "notStrictEqual" : "strictEqual");
    }

    static addMethod(name: string, method: (this: Assertion, ...args: any[]) => any): void {
      define(name, { value: chained(method), writable: true, configurable: true });
    }

    static addProperty(name: string, getter: (this: Assertion) => any): void {
      define(name, { get: chained(getter), configurable: true });
    }

    static addChainableMethod(name: string, method: (this: Assertion, ...args: any[]) => any, access?: (this: Assertion) => void): void {
      define(name, {
        get(this: Assertion) {
          access?.call(this);
          return Object.setPrototypeOf((...args: any[]) => chained(method).apply(this, args), this);
        },
        configurable: true,
      });
    }
  }

  const define = (name: string, d: PropertyDescriptor): void => void Object.defineProperty(Assertion.prototype, name, d);

  const chained = (f: (this: Assertion, ...args: any[]) => any) =>
    function (this: Assertion, ...args: any[]): any {
      const result = f.apply(this, args);
      return result === undefined ? this : result;
    };

  const derived = (a: Assertion, object: any): Assertion => {
    const made = new Assertion(object, a[state].name);
    made[state].display = a[state].display;
    return made;
  };

  const util = {
    flag(a: Assertion, name: string, value?: any): any {
      const key = name === "negate" ? "not" : name === "message" ? "name" : name;
      if (arguments.length < 3) {
        return a[state][key];
      }
      a[state][key] = value;
    },
    inspect,
    eql: deeplyEqual,
    type: kindOf,
    addMethod: (_: any, name: string, method: any) => Assertion.addMethod(name, method),
    addProperty: (_: any, name: string, getter: any) => Assertion.addProperty(name, getter),
  };

  const property = (name: string, getter: (this: Assertion) => any): void => Assertion.addProperty(name, getter);
  const method = (names: string, f: (this: Assertion, ...args: any[]) => any): void => names.split(" ").forEach((n) => Assertion.addMethod(n, f));
  const chainable = (names: string, f: (this: Assertion, ...args: any[]) => any, access?: (this: Assertion) => void): void =>
    names.split(" ").forEach((n) => Assertion.addChainableMethod(n, f, access));

  words.forEach((w) => property(w, () => undefined));
  flags.forEach((f) =>
    property(f, function () {
      this[state][f] = true;
    }),
  );
  const language = { property, method, chainable, derived };
  addStates(language);
  addComparisons(language);
  addContents(language);
  addObjects(language);

  const known = Object.getOwnPropertyNames(Assertion.prototype).filter((n) => n !== "constructor" && !n.startsWith("_"));
  Object.setPrototypeOf(Assertion.prototype, new Proxy(Object.create(Object.prototype), {
    get(target: any, name: string | symbol, receiver: any) {
      if (typeof name === "symbol" || name in target || ["then", "toJSON", "nodeType", "inspect", "default"].includes(name)) {
        return Reflect.get(target, name, receiver);
      }
      throw misspelt(name, known);
    },
  }));

  const expect: any = (value: any, name?: string): Assertion => new Assertion(value, name);
  expect.fail = (...args: any[]): never => {
    throw new AssertionError(args.length > 1 ? args[2] ?? "expect.fail()" : args[0] ?? "expect.fail()", args[0], args[1]);
  };

  const chai: any = {
    config, expect, Assertion, AssertionError, util, assert: assertions(expect),
    use(plugin: (chai: any, util: any) => void): any {
      plugin(chai, util);
      return chai;
    },
  };
  return { chai: provided("k6chaijs", chai), expect, describe };
}

type Language = {
  property(name: string, getter: (this: any) => any): void;
  method(names: string, f: (this: any, ...args: any[]) => any): void;
  chainable(names: string, f: (this: any, ...args: any[]) => any, access?: (this: any) => void): void;
  derived(a: any, object: any): any;
};

// addStates adds what a value is by itself.
function addStates({ property, method, chainable }: Language): void {
  const is = (name: string, test: (v: any) => boolean, text: string, negated: string): void =>
    property(name, function () {
      this.assert(test(this[state].object), `expected #{this} ${text}`, `expected #{this} ${negated}`);
    });
  is("ok", Boolean, "to be truthy", "to be falsy");
  is("true", (v) => v === true, "to be true", "to be false");
  is("false", (v) => v === false, "to be false", "to be true");
  is("null", (v) => v === null, "to be null", "not to be null");
  is("undefined", (v) => v === undefined, "to be undefined", "not to be undefined");
  is("NaN", (v) => Number.isNaN(v), "to be NaN", "not to be NaN");
  is("exist", (v) => v !== null && v !== undefined, "to exist", "to not exist");
  is("finite", (v) => Number.isFinite(v), "to be a finite number", "to not be a finite number");
  is("extensible", (v) => Object.isExtensible(v), "to be extensible", "to not be extensible");
  is("sealed", (v) => Object.isSealed(v), "to be sealed", "to not be sealed");
  is("frozen", (v) => Object.isFrozen(v), "to be frozen", "to not be frozen");
  is("empty", isEmpty, "to be empty", "not to be empty");
  chainable("a an", function (type: string) {
    const kind = type.toLowerCase();
    const shown = `${article(kind)} ${kind}`;
    this.assert(kindOf(this[state].object) === kind, `expected #{this} to be ${shown}`, `expected #{this} not to be ${shown}`);
  });
  method("instanceOf instanceof", function (kind: any) {
    const name = kind.name || "an unnamed constructor";
    this.assert(this[state].object instanceof kind, `expected #{this} to be an instance of ${name}`, `expected #{this} to not be an instance of ${name}`);
  });
  method("satisfy satisfies", function (test: (v: any) => any) {
    const shown = inspect(test);
    this.assert(test(this[state].object), `expected #{this} to satisfy ${shown}`, `expected #{this} to not satisfy ${shown}`);
  });
  method("validJsonBody", function () {
    this.assert(hasJSON(this[state].object), "has valid json body", "has no valid json body");
  });
  method("anonymize", function (show?: (v: any) => any) {
    this[state].display = show ? String(show(this[state].object)) : "<anonymized>";
  });
}

function isEmpty(value: any): boolean {
  if (typeof value === "string" || Array.isArray(value)) {
    return value.length === 0;
  }
  if (value instanceof Map || value instanceof Set) {
    return value.size === 0;
  }
  if (value === null || typeof value !== "object") {
    throw new AssertionError(`.empty was passed ${typeof value === "function" ? "a function" : "non-string primitive"} ${inspect(value)}`);
  }
  return Object.keys(value).length === 0;
}

function hasJSON(response: any): boolean {
  try {
    return response.body !== null && response.json() !== undefined;
  } catch {
    return false;
  }
}

// addComparisons adds equality and order.
function addComparisons({ method, derived }: Language): void {
  const eql = function (this: any, x: any): void {
    this.assert(deeplyEqual(this[state].object, x), "expected #{this} to deeply equal #{exp}", "expected #{this} to not deeply equal #{exp}", x);
  };
  method("eql eqls", eql);
  method("equal equals eq", function (x: any) {
    if (this[state].deep) {
      return eql.call(this, x);
    }
    this.assert(this[state].object === x, "expected #{this} to equal #{exp}", "expected #{this} to not equal #{exp}", x);
  });
  const order = (names: string, test: (v: any, x: any) => boolean, words: string, negated: string): void =>
    method(names, function (x: any) {
      const value = measured(this, derived);
      comparable(value, x, names.split(" ")[0]);
      if (this[state].lengths) {
        this.assert(test(value, x), `expected #{this} to have a length ${words} #{exp} but got #{act}`, `expected #{this} to have a length ${negated} #{exp}`, x, value);
      } else {
        this.assert(test(value, x), `expected #{this} to be ${words} #{exp}`, `expected #{this} to be ${negated} #{exp}`, x);
      }
    });
  order("above gt greaterThan", (v, x) => v > x, "above", "at most");
  order("below lt lessThan", (v, x) => v < x, "below", "at least");
  order("least gte greaterThanOrEqual", (v, x) => v >= x, "at least", "below");
  order("most lte lessThanOrEqual", (v, x) => v <= x, "at most", "above");
  method("within", function (from: any, to: any) {
    const value = measured(this, derived);
    comparable(value, from, "within");
    const what = this[state].lengths ? "have a length within" : "be within";
    const range = from instanceof Date ? `${from.toISOString()}..${to.toISOString()}` : `${from}..${to}`;
    this.assert(value >= from && value <= to, `expected #{this} to ${what} ${range}`, `expected #{this} to not ${what} ${range}`);
  });
  method("closeTo approximately", function (x: number, delta: number) {
    derived(this, this[state].object).to.be.a("number");
    this.assert(Math.abs(this[state].object - x) <= delta, `expected #{this} to be close to ${x} +/- ${delta}`, `expected #{this} not to be close to ${x} +/- ${delta}`);
  });
}

// measured is the value to compare: the size of the subject after lengthOf.
function measured(a: any, derived: Language["derived"]): any {
  const s = a[state];
  return s.lengths ? lengthOf(a, derived) : s.object;
}

function lengthOf(a: any, derived: Language["derived"]): number {
  const object = a[state].object;
  const name = object instanceof Map || object instanceof Set ? "size" : "length";
  derived(a, object).to.have.property(name);
  return object[name];
}

function comparable(value: any, x: any, name: string): void {
  const kinds = ["number", "date", "bigint"];
  if (!kinds.includes(kindOf(value))) {
    throw new AssertionError(`expected ${inspect(value)} to be a number or a date`);
  }
  if (!kinds.includes(kindOf(x))) {
    throw new AssertionError(`the argument to ${name} must be a ${kindOf(value)}`);
  }
}

// addContents adds what is in a text, a list or a set.
function addContents({ method, chainable, derived }: Language): void {
  chainable("include contain includes contains", include, function () {
    this[state].contains = true;
  });
  chainable("lengthOf length", function (n: number) {
    const length = lengthOf(this, derived);
    this.assert(length === n, "expected #{this} to have a length of #{exp} but got #{act}", "expected #{this} to not have a length of #{act}", n, length);
  }, function () {
    this[state].lengths = true;
  });
  method("match matches", function (re: RegExp) {
    this.assert(re.exec(this[state].object) !== null, `expected #{this} to match ${re}`, `expected #{this} not to match ${re}`);
  });
  method("string", function (text: string) {
    derived(this, this[state].object).to.be.a("string");
    this.assert(this[state].object.includes(text), "expected #{this} to contain #{exp}", "expected #{this} to not contain #{exp}", text);
  });
  method("oneOf", function (list: any[]) {
    derived(this, list).to.be.an("array");
    const { object, contains, deep } = this[state];
    const ok = contains ? list.some((x) => object.indexOf(x) >= 0) : list.some((x) => (deep ? deeplyEqual(object, x) : object === x));
    const what = contains ? "contain" : "be";
    this.assert(ok, `expected #{this} to ${what} one of #{exp}`, `expected #{this} to not ${what} one of #{exp}`, list);
  });
  method("members", function (list: any[]) {
    const s = this[state];
    derived(this, s.object).to.be.an("array");
    const what = `${s.ordered ? "ordered " : ""}${s.deep ? "deep " : ""}members`.replace("deep members", "members");
    const phrase = s.contains ? `be ${s.ordered ? "an ordered" : "a"} superset of #{exp}` : `have the same ${what} as #{exp}`;
    this.assert(sameMembers(s.object, list, s), `expected #{this} to ${phrase}`, `expected #{this} to not ${phrase}`, list);
  });
}

function sameMembers(all: any[], list: any[], s: State): boolean {
  const same = s.deep ? deeplyEqual : (a: any, b: any) => a === b;
  if (!s.contains && all.length !== list.length) {
    return false;
  }
  if (s.ordered) {
    return list.every((x, i) => i < all.length && same(all[i], x));
  }
  const left = [...all];
  return list.every((x) => {
    const at = left.findIndex((y) => same(y, x));
    if (at >= 0 && !s.contains) {
      left.splice(at, 1);
    }
    return at >= 0;
  });
}

function include(this: any, x: any): void {
  const { object, deep } = this[state];
  const same = deep ? deeplyEqual : (a: any, b: any) => a === b || (a !== a && b !== b);
  let ok: boolean;
  switch (kindOf(object)) {
    case "string":
      ok = object.includes(x);
      break;
    case "array":
    case "set":
      ok = [...object].some((v) => same(v, x));
      break;
    case "map":
      ok = [...object.values()].some((v) => same(v, x));
      break;
    default:
      return includeProperties.call(this, x);
  }
  const what = deep ? "deep include" : "include";
  this.assert(ok, `expected #{this} to ${what} #{exp}`, `expected #{this} to not ${what} #{exp}`, x);
}

function includeProperties(this: any, x: any): void {
  const object = this[state].object;
  if (object === null || typeof object !== "object" && typeof object !== "function" || x === null || typeof x !== "object") {
    throw new AssertionError(`the given combination of arguments (${kindOf(object)} and ${kindOf(x)}) is invalid for this assertion`);
  }
  for (const key of Object.keys(x)) {
    this.property(key, x[key]);
    this[state].object = object;
  }
}

// addObjects adds properties, keys and functions.
function addObjects({ method, derived }: Language): void {
  method("property", property);
  method("keys key", keys);
  method("throw throws Throw", function (kind?: any, pattern?: string | RegExp) {
    derived(this, this[state].object).to.be.a("function");
    const [ok, what] = thrown(this[state].object, kind, pattern);
    this.assert(ok, `expected #{this} to throw ${what}`, `expected #{this} to not throw ${what}`);
  });
}

function property(this: any, name: string, ...rest: any[]): void {
  const s = this[state];
  if (s.object === null || s.object === undefined) {
    throw new AssertionError("Target cannot be null or undefined.");
  }
  const path = s.nested ? pathOf(name) : [name];
  const last = path[path.length - 1];
  const holder = path.slice(0, -1).reduce((o, k) => o?.[k], s.object);
  const there = holder !== null && holder !== undefined && (s.own ? Object.hasOwn(Object(holder), last) : last in Object(holder));
  const value = there ? holder[last] : undefined;
  const what = `${s.deep ? "deep " : ""}${s.own ? "own " : ""}${s.nested ? "nested " : ""}property ${inspect(name)}`;
  if (!s.not || rest.length === 0) {
    this.assert(there, `expected #{this} to have ${what}`, `expected #{this} to not have ${what}`);
  }
  if (rest.length > 0) {
    const same = s.deep ? deeplyEqual(value, rest[0]) : value === rest[0];
    this.assert(there && same, `expected #{this} to have ${what} of #{exp}, got #{act}`, `expected #{this} to not have ${what} of #{act}`, rest[0], value);
  }
  s.object = value;
}

function keys(this: any, ...given: any[]): void {
  const s = this[state];
  const first = given[0];
  const wanted = Array.isArray(first) ? first : first !== null && typeof first === "object" ? Object.keys(first) : given;
  if (wanted.length === 0) {
    throw new AssertionError("keys required");
  }
  const actual = s.object instanceof Map || s.object instanceof Set ? [...s.object.keys()] : Object.keys(s.object);
  const has = (k: any): boolean => actual.some((a) => (s.deep ? deeplyEqual(a, k) : a === k));
  let ok = s.any ? wanted.some(has) : wanted.every(has);
  if (!s.any && !s.contains) {
    ok = ok && actual.length === wanted.length;
  }
  const shown = wanted.map(inspect);
  const joined = shown.length > 1 ? `${shown.slice(0, -1).join(", ")}, ${s.any ? "or" : "and"} ${shown[shown.length - 1]}` : shown[0];
  const what = `${s.contains ? "contain" : "have"} ${shown.length > 1 ? "keys" : "key"} ${joined}`;
  this.assert(ok, `expected #{this} to ${what}`, `expected #{this} to not ${what}`, wanted, actual);
}

// thrown calls a function and tells whether it threw what was asked for, and what
// that was in words.
function thrown(f: () => any, kind: any, pattern?: string | RegExp): [ok: boolean, what: string] {
  if (typeof kind === "string" || kind instanceof RegExp) {
    [kind, pattern] = [undefined, kind];
  }
  let what = kind === undefined ? "an error" : typeof kind === "function" ? kind.name : inspect(kind);
  if (pattern !== undefined) {
    what = `${kind === undefined ? "error" : what} ${pattern instanceof RegExp ? "matching" : "including"} ${inspect(pattern)}`;
  }
  try {
    f();
  } catch (e: any) {
    const text = String(e?.message ?? e);
    const kindOK = kind === undefined || (typeof kind === "function" ? e instanceof kind : e === kind);
    const textOK = pattern === undefined || (pattern instanceof RegExp ? pattern.test(text) : text.includes(pattern));
    return [kindOK && textOK, what];
  }
  return [false, what];
}

// assertions are the functions of chai.assert, each in terms of expect.
function assertions(expect: any): any {
  const assert: any = (ok: any, message?: string): void => {
    expect(ok, message).to.be.ok;
  };
  Object.assign(assert, {
    equal(a: any, b: any, message?: string) {
      expect(a, message).assert(a == b, "expected #{this} to equal #{exp}", "expected #{this} to not equal #{exp}", b); // eslint-disable-line eqeqeq
    },
    notEqual(a: any, b: any, message?: string) {
      expect(a, message).assert(a != b, "expected #{this} to not equal #{exp}", "expected #{this} to equal #{exp}", b); // eslint-disable-line eqeqeq
    },
    strictEqual: (a: any, b: any, message?: string) => void expect(a, message).to.equal(b),
    notStrictEqual: (a: any, b: any, message?: string) => void expect(a, message).to.not.equal(b),
    deepEqual: (a: any, b: any, message?: string) => void expect(a, message).to.eql(b),
    notDeepEqual: (a: any, b: any, message?: string) => void expect(a, message).to.not.eql(b),
    ok: (a: any, message?: string) => void expect(a, message).to.be.ok,
    isOk: (a: any, message?: string) => void expect(a, message).to.be.ok,
    isNotOk: (a: any, message?: string) => void expect(a, message).to.not.be.ok,
    isTrue: (a: any, message?: string) => void expect(a, message).to.be.true,
    isFalse: (a: any, message?: string) => void expect(a, message).to.be.false,
    isNull: (a: any, message?: string) => void expect(a, message).to.be.null,
    isNotNull: (a: any, message?: string) => void expect(a, message).to.not.be.null,
    isUndefined: (a: any, message?: string) => void expect(a, message).to.be.undefined,
    isDefined: (a: any, message?: string) => void expect(a, message).to.not.be.undefined,
    exists: (a: any, message?: string) => void expect(a, message).to.exist,
    isAbove: (a: any, b: any, message?: string) => void expect(a, message).to.be.above(b),
    isBelow: (a: any, b: any, message?: string) => void expect(a, message).to.be.below(b),
    isAtLeast: (a: any, b: any, message?: string) => void expect(a, message).to.be.least(b),
    isAtMost: (a: any, b: any, message?: string) => void expect(a, message).to.be.most(b),
    isArray: (a: any, message?: string) => void expect(a, message).to.be.an("array"),
    isObject: (a: any, message?: string) => void expect(a, message).to.be.an("object"),
    isString: (a: any, message?: string) => void expect(a, message).to.be.a("string"),
    isNumber: (a: any, message?: string) => void expect(a, message).to.be.a("number"),
    isBoolean: (a: any, message?: string) => void expect(a, message).to.be.a("boolean"),
    isEmpty: (a: any, message?: string) => void expect(a, message).to.be.empty,
    isNotEmpty: (a: any, message?: string) => void expect(a, message).to.not.be.empty,
    include: (a: any, b: any, message?: string) => void expect(a, message).to.include(b),
    notInclude: (a: any, b: any, message?: string) => void expect(a, message).to.not.include(b),
    match: (a: any, b: any, message?: string) => void expect(a, message).to.match(b),
    property: (a: any, b: any, message?: string) => void expect(a, message).to.have.property(b),
    lengthOf: (a: any, b: any, message?: string) => void expect(a, message).to.have.lengthOf(b),
    fail: (message?: string) => expect.fail(message),
  });
  return Object.setPrototypeOf(assert, provided("k6chaijs assert", {}));
}

/** Runs a block of assertions in a group; whether all held. */
export function describe(name: string, fn: () => any): boolean {
  let ok = true;
  group(name, () => {
    try {
      fn();
    } catch (e) {
      ok = false;
      if (!(e instanceof AssertionError)) {
        console.error(`Exception raised in test "${name}". Failing the test and continuing. \n${e}`);
        check(null, { [`Exception raised "${e}"`]: () => false });
      }
    }
  });
  return ok;
}

const latest = /* @__PURE__ */ make({ aggregate: true, tagged: false, exits: true });
export const chai = /* @__PURE__ */ (() => latest.chai)();
export const expect = /* @__PURE__ */ (() => latest.expect)();

const later = /* @__PURE__ */ make({ aggregate: true, tagged: false, exits: false });
export const chai4343 = /* @__PURE__ */ (() => later.chai)();
export const expect4343 = /* @__PURE__ */ (() => later.expect)();

const tagging = /* @__PURE__ */ make({ aggregate: true, tagged: true, exits: false });
export const chai4341 = /* @__PURE__ */ (() => tagging.chai)();
export const expect4341 = /* @__PURE__ */ (() => tagging.expect)();

const first = /* @__PURE__ */ make({ aggregate: false, tagged: false, exits: false });
export const chai4340 = /* @__PURE__ */ (() => first.chai)();
export const expect4340 = /* @__PURE__ */ (() => first.expect)();
