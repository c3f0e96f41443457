// How assertions show values, and when two are deeply equal.

// longest is how many characters of a value are shown before it is shortened.
const longest = 40;

/** A value as the text of an assertion shows it. */
export function inspect(value: any): string {
  if (typeof value === "string" && value.length > longest - 2) {
    return `${quote(value.slice(0, longest - 3)).slice(0, -1)}…'`;
  }
  const text = whole(value, []);
  if (text.length <= longest || value === null || typeof value !== "object") {
    return text;
  }
  if (Array.isArray(value)) {
    return `[ Array(${value.length}) ]`;
  }
  if (kindOf(value) !== "object") {
    return text;
  }
  const keys = Object.keys(value);
  return `{ Object (${keys.slice(0, 2).join(", ")}${keys.length > 2 ? ", ..." : ""}) }`;
}

const quote = (text: string): string => `'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`;

function whole(value: any, around: any[]): string {
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
      return value === 0 ? (Object.is(value, -0) ? "-0" : "+0") : String(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return value.name ? `[Function ${value.name}]` : "[Function]";
    case "object":
      return value === null ? "null" : object(value, around);
  }
  return String(value);
}

function object(value: any, around: any[]): string {
  if (around.includes(value)) {
    return "[Circular]";
  }
  const inner = [...around, value];
  const list = (items: string[], open: string, close: string): string => (items.length > 0 ? `${open} ${items.join(", ")} ${close}` : open + close);
  switch (kindOf(value)) {
    case "array":
      return list(value.map((v: any) => whole(v, inner)), "[", "]");
    case "set":
      return `Set${list([...value].map((v) => whole(v, inner)), "{", "}")}`;
    case "map":
      return `Map${list([...value].map(([k, v]) => `${whole(k, inner)} => ${whole(v, inner)}`), "{", "}")}`;
    case "regexp":
      return String(value);
    case "date":
      return isNaN(value) ? "Invalid Date" : value.toISOString();
    case "error":
      return `[${value}]`;
  }
  const key = (k: string): string => (/^[A-Za-z_$][\w$]*$/.test(k) ? k : quote(k));
  return list(Object.keys(value).map((k) => `${key(k)}: ${whole(value[k], inner)}`), "{", "}");
}

/** The kind of a value in lower case: array, null, regexp. */
export const kindOf = (value: any): string => Object.prototype.toString.call(value).slice(8, -1).toLowerCase();

/** Deep equality in which NaN equals NaN and kinds count. */
export function deeplyEqual(a: any, b: any, seen: [any, any][] = []): boolean {
  if (a === b) {
    return a !== 0 || 1 / a === 1 / b;
  }
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") {
    return a !== a && b !== b;
  }
  if (kindOf(a) !== kindOf(b)) {
    return false;
  }
  if (seen.some(([x, y]) => x === a && y === b)) {
    return true;
  }
  return sameContent(a, b, [...seen, [a, b]]);
}

function sameContent(a: any, b: any, seen: [any, any][]): boolean {
  switch (kindOf(a)) {
    case "date":
    case "number":
    case "boolean":
    case "string":
      return deeplyEqual(a.valueOf(), b.valueOf());
    case "regexp":
      return String(a) === String(b);
    case "error":
      return a === b;
    case "arraybuffer":
      return deeplyEqual(new Uint8Array(a), new Uint8Array(b));
    case "set":
      return a.size === b.size && [...a].every((x) => b.has(x) || [...b].some((y) => deeplyEqual(x, y, seen)));
    case "map":
      return a.size === b.size && [...a].every(([k, v]) => [...b].some(([l, w]) => deeplyEqual(k, l, seen) && deeplyEqual(v, w, seen)));
  }
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((k) => Object.hasOwn(b, k) && deeplyEqual(a[k], b[k], seen));
}

/** The names on the way to a nested property: a.b[0].c. */
export function pathOf(path: string): string[] {
  return [...path.matchAll(/\[(\d+)\]|((?:\\.|[^.[\]\\])+)/g)].map(([, index, name]) => index ?? name.replace(/\\(.)/g, "$1"));
}
