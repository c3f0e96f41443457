// k6-testing: assertions that end the test.

import exec from "k6/execution";

import { pathOf } from "./inspect.ts";

type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white" | "gray" | "darkGray";

const colours: Record<string, number> = {
  black: 30, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, white: 37, gray: 90, darkGray: 90,
};

/** A text in a colour of the terminal. */
export function colorize(text: string, color: Colour): string {
  return `\x1b[${colours[color] ?? 0}m${text}\x1b[0m`;
}

interface Options {
  timeout: number;
  interval: number;
  soft: boolean;
  softMode: "fail" | "throw";
  colorize: boolean;
  display: "pretty" | "inline";
  assertFn?: (ok: boolean, message: string, soft?: boolean) => void;
}

/** What versions do differently. */
interface Features {
  softMode: "fail" | "throw";
  /** The option softMode and its variable are known. */
  modes: boolean;
  /** Variables of the environment are read. */
  env: boolean;
  /** Since 0.6 the message of the caller stands in the first line. */
  messages: boolean;
  /** 0.5 puts texts in quotes. */
  quoted: boolean;
  contains: boolean;
  text: boolean;
  attribute: boolean;
  titles: boolean;
}

export class AssertionFailedError extends Error {
  name = "AssertionFailedError";
}

function variable(name: string): string | undefined {
  return __ENV[`K6_TESTING_${name}`];
}

function oneOf(name: string, allowed: string[]): string | undefined {
  const value = variable(name);
  if (value !== undefined && !allowed.includes(value.toLowerCase())) {
    throw new Error(`invalid K6_TESTING_${name}: ${value}. Expected one of ${allowed.join(", ")}`);
  }
  return value?.toLowerCase();
}

function whole(name: string): number | undefined {
  const value = variable(name);
  if (value !== undefined && !/^\d+$/.test(value)) {
    throw new Error(`invalid K6_TESTING_${name}: ${value}. Expected a number of milliseconds`);
  }
  return value === undefined ? undefined : Number(value);
}

// fromEnvironment are the options that variables set, which beat all others.
function fromEnvironment(features: Features): Partial<Options> {
  if (!features.env) {
    return {};
  }
  const found: Record<string, any> = {
    timeout: whole("TIMEOUT"), interval: whole("INTERVAL"), display: oneOf("DISPLAY", ["pretty", "inline"]),
    softMode: features.modes ? oneOf("SOFT_MODE", ["fail", "throw"]) : undefined,
    colorize: variable("COLORIZE")?.toLowerCase() === "false" || __ENV.NO_COLOR ? false : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, v]) => v !== undefined));
}

// place is where the script called, by the stack: its first frame that is a file.
function place(): { file: string; line: string; column: string } {
  for (const [, file, line, column] of (new Error().stack ?? "").matchAll(/([^\s()]+):(\d+):(\d+)\(\d+\)/g)) {
    if (!file.startsWith("jsload:")) {
      return { file: decodeURI(file.replace(/^file:\/\//, "")), line, column };
    }
  }
  return { file: "unknown", line: "0", column: "0" };
}

interface Failure {
  matcher: string;
  negated: boolean;
  argument: string;
  expected: string;
  received: string;
  custom?: string;
}

function describeFailure(f: Failure, o: Options, features: Features): string {
  const at = place();
  const call = features.messages && f.custom ? f.custom : `expect(received).${f.negated ? "not." : ""}${f.matcher}(${f.argument})`;
  const name = at.file.slice(at.file.lastIndexOf("/") + 1);
  const where = `${at.file}:${at.line}:${at.column}`;
  if (o.display === "inline") {
    const text = (v: string): string => (/[\s="]/.test(v) && !/^[{["]/.test(v) ? JSON.stringify(v) : v);
    return `error=${text(call)} at=${text(where)} expected=${text(f.expected)} received=${text(f.received)} filename=${text(name)} line=${at.line}`;
  }
  const paint = (text: string, color: Colour): string => (o.colorize ? colorize(text, color) : text);
  const rows: [string, string, Colour][] = [
    ["Error", call, "red"], ["At", where, "darkGray"], ["Expected", f.expected, "green"], ["Received", f.received, "red"],
    ["Filename", name, "darkGray"], ["Line", at.line, "darkGray"],
  ];
  const lines = rows.map(([label, value, color]) => `${paint(`${label}:`.padStart(17), "white")} ${paint(value, color)}`);
  return `\n${lines.join("\n")}\n`;
}

function report(ok: boolean, message: string, o: Options): void {
  if (o.assertFn) {
    o.assertFn(ok, message, o.soft);
    return;
  }
  if (ok) {
    return;
  }
  if (!o.soft) {
    exec.test.abort(message);
  } else if (o.softMode === "fail") {
    exec.test.fail(message);
  } else {
    throw new AssertionFailedError(message);
  }
}

/** Compares own enumerable keys, whatever else the two are. */
export function sameKeys(a: any, b: any): boolean {
  if (a === b) {
    return true;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    return false;
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && sameKeys(a[k], b[k]));
}

function shown(value: any, features: Features): string {
  switch (typeof value) {
    case "string":
      return features.quoted ? JSON.stringify(value) : value;
    case "function":
      return value.name || "function";
    case "object":
      if (value === null) {
        return "null";
      }
      if (value instanceof RegExp || value instanceof Error || value instanceof Map || value instanceof Set) {
        return String(value);
      }
      return JSON.stringify(value);
  }
  return Object.is(value, -0) ? "-0" : String(value);
}

function contains(list: any, same: (x: any) => boolean, matcher: string): boolean {
  if (!Array.isArray(list) && !(list instanceof Set)) {
    throw new Error(`${matcher} needs an array or a Set, and for toContain also a string will do`);
  }
  return [...list].some(same);
}

function property(object: any, path: string): { found: boolean; value?: any } {
  let value = object;
  for (const name of pathOf(path)) {
    if (value === null || value === undefined || !Object.hasOwn(Object(value), name)) {
      return { found: false };
    }
    value = value[name];
  }
  return { found: true, value };
}

type Verdict = [ok: boolean, expected: string, received?: string];
type Matcher = (received: any, ...args: any[]) => Verdict;

// matchers are those of values, by name.
function matchers(features: Features): Record<string, Matcher> {
  const text = (v: any): string => shown(v, features);
  const is = (what: string, test: (v: any) => boolean): Matcher => (v) => [test(v), what];
  const order = (sign: string, test: (v: any, x: any) => boolean): Matcher => (v, x) => [test(v, x), `${sign} ${text(x)}`];
  const list: Record<string, Matcher> = {
    toBe: (v, x) => [Object.is(v, x), text(x)],
    toEqual: (v, x) => [sameKeys(v, x), text(x)],
    toBeTruthy: is("truthy", Boolean),
    toBeFalsy: is("falsy", (v) => !v),
    toBeDefined: is("defined", (v) => v !== undefined),
    toBeUndefined: is("undefined", (v) => v === undefined),
    toBeNull: is("null", (v) => v === null),
    toBeNaN: is("NaN", (v) => Number.isNaN(v)),
    toBeGreaterThan: order(">", (v, x) => v > x),
    toBeGreaterThanOrEqual: order(">=", (v, x) => v >= x),
    toBeLessThan: order("<", (v, x) => v < x),
    toBeLessThanOrEqual: order("<=", (v, x) => v <= x),
    toBeCloseTo: (v, x, precision = 2) => [Math.abs(v - x) < 10 ** -precision / 2, `${text(x)} within ${10 ** -precision / 2}`],
    toBeInstanceOf: (v, kind) => [v instanceof kind, kind.name, v?.constructor?.name],
    toHaveLength: (v, n) => {
      if (typeof v?.length !== "number") {
        throw new Error("toHaveLength needs a value with a length");
      }
      return [v.length === n, text(n), String(v.length)];
    },
  };
  if (features.contains) {
    list.toContain = (v, x) => [typeof v === "string" ? v.includes(x) : contains(v, (y) => y === x || (x !== x && y !== y), "toContain"), text(x)];
    list.toContainEqual = (v, x) => [contains(v, (y) => sameKeys(y, x), "toContainEqual"), text(x)];
    list.toHaveProperty = (v, path, ...rest) => {
      const { found, value } = property(v, path);
      return rest.length > 0 ? [found && sameKeys(value, rest[0]), `${path} = ${text(rest[0])}`] : [found, path];
    };
  }
  return list;
}

const collapsed = (text: string): string => text.replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "").replace(/\s+/g, " ").trim();

function matchesText(received: string, wanted: string | RegExp, opts: any, part: boolean): boolean {
  const text = collapsed(received);
  if (wanted instanceof RegExp) {
    return new RegExp(wanted.source, opts?.ignoreCase && !wanted.flags.includes("i") ? `${wanted.flags}i` : wanted.flags).test(text);
  }
  const fold = (t: string): string => (opts?.ignoreCase ? t.toLowerCase() : t);
  const [a, b] = [fold(text), fold(collapsed(wanted))];
  return part ? a.includes(b) : a === b;
}

type Retried = (target: any, ...args: any[]) => Promise<Verdict>;

// pageMatchers are those of pages and locators, which are asked again until they hold.
function pageMatchers(features: Features): Record<string, Retried> {
  const is = (what: string, ask: (l: any) => Promise<boolean>): Retried => async (l) => [await ask(l), what];
  const list: Record<string, Retried> = {
    toBeChecked: is("checked", (l) => l.isChecked()),
    toBeDisabled: is("disabled", (l) => l.isDisabled()),
    toBeEditable: is("editable", (l) => l.isEditable()),
    toBeEnabled: is("enabled", (l) => l.isEnabled()),
    toBeHidden: is("hidden", (l) => l.isHidden()),
    toBeVisible: is("visible", (l) => l.isVisible()),
    toHaveValue: async (l, x) => {
      const value = await l.inputValue();
      return [value === x, x, value];
    },
  };
  const text = (part: boolean): Retried => async (l, x, opts) => {
    const value = opts?.useInnerText ? await l.innerText() : ((await l.textContent()) ?? "");
    return [matchesText(value, x, opts, part), String(x), value];
  };
  if (features.text) {
    list.toHaveText = text(false);
    list.toContainText = text(true);
  }
  if (features.attribute) {
    list.toHaveAttribute = async (l, name, ...rest) => {
      const value = await l.getAttribute(name);
      const wants = rest.length > 0 && typeof rest[0] !== "object";
      return [wants ? value === rest[0] : value !== null, wants ? `${name}="${rest[0]}"` : name, String(value)];
    };
  }
  if (features.titles) {
    list.toBeEmpty = async (l) => [((await l.textContent()) ?? "") === "" && ((await l.inputValue?.().catch(() => "")) ?? "") === "", "empty"];
    list.toHaveTitle = async (page, x) => {
      const title = await page.title();
      return [matchesText(title, x, {}, false), String(x), title];
    };
  }
  return list;
}

const isPage = (v: any): boolean =>
  v !== null && typeof v === "object" && (["isChecked", "isVisible", "textContent"].every((m) => typeof v[m] === "function")
    || ["title", "goto", "locator"].every((m) => typeof v[m] === "function"));

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Makes expect of a version. */
function make(features: Features): any {
  const environment = fromEnvironment(features);
  const ofValues = matchers(features);
  const ofPages = pageMatchers(features);

  const fail = (name: string, negated: boolean, args: any[], received: any, v: Verdict, o: Options, custom?: string): void => {
    const [ok, expected, got] = v;
    const passed = negated ? !ok : ok;
    const message = passed ? "" : describeFailure({
      matcher: name, negated, argument: args.length > 0 ? "expected" : "", expected: `${negated ? "not " : ""}${expected}`,
      received: got ?? shown(received, features), custom,
    }, o, features);
    report(passed, message, o);
  };

  const expectation = (received: any, o: Options, negated: boolean, custom?: string): any => {
    const made: Record<string, any> = {};
    if (isPage(received)) {
      for (const [name, ask] of Object.entries(ofPages)) {
        made[name] = (...args: any[]) => retry(name, ask, negated, args, received, o, custom);
      }
    } else {
      for (const [name, test] of Object.entries(ofValues)) {
        made[name] = (...args: any[]) => fail(name, negated, args, received, test(received, ...args), o, custom);
      }
    }
    if (!negated) {
      Object.defineProperty(made, "not", { get: () => expectation(received, o, true, custom) });
    }
    return Object.setPrototypeOf(made, unknown);
  };

  const retry = async (name: string, ask: Retried, negated: boolean, args: any[], target: any, o: Options, custom?: string): Promise<void> => {
    const last = args[args.length - 1];
    const { timeout = o.timeout, interval = o.interval } = last !== null && typeof last === "object" && !(last instanceof RegExp) ? last : {};
    const end = Date.now() + timeout;
    for (;;) {
      const v = await ask(target, ...args);
      if (v[0] !== negated || Date.now() >= end) {
        return fail(name, negated, args, target, v, o, custom);
      }
      await pause(interval);
    }
  };

  const create = (given: Partial<Options>): any => {
    const o: Options = {
      timeout: 5000, interval: 100, soft: false, softMode: features.softMode, colorize: true, display: "pretty", ...given, ...environment,
    };
    const expect: any = (received: any, message?: string) => expectation(received, o, false, message);
    expect.soft = (received: any, message?: string) => expectation(received, { ...o, soft: true }, false, message);
    expect.configure = (options: Partial<Options>) => create(options);
    Object.defineProperty(expect, "config", { get: () => ({ ...o }) });
    return expect;
  };
  return create({});
}

// unknown is what every expectation inherits from.
const unknown = new Proxy(Object.create(Object.prototype), {
  get(target: any, name: string | symbol, receiver: any) {
    if (typeof name === "symbol" || name in target || name === "then" || name === "toJSON") {
      return Reflect.get(target, name, receiver);
    }
    throw new TypeError(`${name} is not provided by jsload's k6-testing`);
  },
});

const none: Features = {
  softMode: "throw", modes: false, env: false, messages: false, quoted: false, contains: false, text: false, attribute: false, titles: false,
};
const v05: Features = { ...none, env: true, modes: true, quoted: true, contains: true, text: true, attribute: true };

export const expect01 = /* @__PURE__ */ make(none);
export const expect02 = /* @__PURE__ */ (() => make({ ...none, env: true }))();
export const expect03 = /* @__PURE__ */ (() => make({ ...none, env: true, contains: true }))();
export const expect04 = /* @__PURE__ */ (() => make({ ...none, env: true, contains: true, text: true }))();
export const expect05 = /* @__PURE__ */ (() => make(v05))();
export const expect = /* @__PURE__ */ (() => make({ ...v05, softMode: "fail", quoted: false, messages: true, titles: true }))();
