// JSON schemas, draft 7 without remote references and formats: for expect.

/** What is wrong, and where: the path in dotted form, empty for the whole. */
export interface Mismatch {
  dataPath: string;
  message: string;
}

type Report = (path: string, message: string) => void;

const kindOf = (value: any): string => {
  switch (true) {
    case value === null: return "null";
    case Array.isArray(value): return "array";
    case Number.isInteger(value): return "integer";
  }
  return typeof value;
};

const isKind = (value: any, kind: string): boolean => kindOf(value) === kind || kind === "number" && typeof value === "number";

const isObject = (value: any): boolean => kindOf(value) === "object";

const canonical = (value: any): any => {
  if (Array.isArray(value)) {
    return value.map(canonical);
  }
  return isObject(value) ? Object.fromEntries(Object.keys(value).sort().map((k) => [k, canonical(value[k])])) : value;
};

const text = (value: any): string => JSON.stringify(canonical(value));

const member = (path: string, name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? `${path}.${name}` : `${path}['${name}']`);

// known are the keywords that constrain nothing by themselves, or are seen to with others.
const known = new Set([
  "$schema", "$id", "id", "$comment", "title", "description", "default", "examples", "definitions", "$defs", "format", "readOnly", "writeOnly",
  "then", "else", "contentMediaType", "contentEncoding",
]);

/** Lists how a value differs from a schema. */
export function mismatches(schema: any, value: any): Mismatch[] {
  const found: Mismatch[] = [];
  new Validator(schema).check(schema, value, "", (dataPath, message) => found.push({ dataPath, message }));
  return found;
}

class Validator {
  constructor(readonly root: any) {}

  check(schema: any, value: any, path: string, report: Report): void {
    if (typeof schema === "boolean") {
      schema || report(path, "boolean schema is false");
      return;
    }
    if (schema.$ref !== undefined) {
      this.check(this.#target(schema.$ref), value, path, report);
      return;
    }
    for (const [keyword, operand] of Object.entries<any>(schema)) {
      const rule = rules[keyword];
      if (rule !== undefined) {
        rule({ validator: this, schema, operand, value, path, report });
      } else if (!known.has(keyword)) {
        throw new Error(`unknown keyword in a schema: ${keyword}`);
      }
    }
  }

  holds(schema: any, value: any): boolean {
    let ok = true;
    this.check(schema, value, "", () => { ok = false; });
    return ok;
  }

  #target(reference: string): any {
    if (!reference.startsWith("#")) {
      throw new Error(`can't resolve reference ${reference}: only those within the schema are known`);
    }
    let at = this.root;
    for (const part of reference.slice(1).split("/").slice(1)) {
      at = at?.[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
    }
    if (at === undefined) {
      throw new Error(`can't resolve reference ${reference}`);
    }
    return at;
  }
}

interface Case {
  validator: Validator;
  schema: any;
  operand: any;
  value: any;
  path: string;
  report: Report;
}

type Rule = (c: Case) => void;

// number, string, list and object make rules that hold for values of other kinds.
const number = (fails: (v: number, x: any) => boolean, message: (x: any) => string): Rule => ({ operand, value, path, report }) => {
  if (typeof value === "number" && fails(value, operand)) {
    report(path, message(operand));
  }
};

const string = (fails: (v: string, x: any) => boolean, message: (x: any) => string): Rule => ({ operand, value, path, report }) => {
  if (typeof value === "string" && fails(value, operand)) {
    report(path, message(operand));
  }
};

const list = (rule: Rule): Rule => (c) => { Array.isArray(c.value) && rule(c); };

const object = (rule: Rule): Rule => (c) => { isObject(c.value) && rule(c); };

const quantity = (n: number, what: string, plural: string): string => `${n} ${n === 1 ? what : plural}`;

const length = (s: string): number => [...s].length;

const has = (value: any, name: string): boolean => Object.prototype.hasOwnProperty.call(value, name) && value[name] !== undefined;

function additional({ validator, schema, operand, value, path, report }: Case): void {
  const patterns = Object.keys(schema.patternProperties ?? {}).map((p) => new RegExp(p));
  for (const name of Object.keys(value)) {
    if (has(schema.properties ?? {}, name) || patterns.some((p) => p.test(name))) {
      continue;
    }
    if (operand === false) {
      report(path, "should NOT have additional properties");
    } else {
      validator.check(operand, value[name], member(path, name), report);
    }
  }
}

function items({ validator, schema, operand, value, path, report }: Case): void {
  value.forEach((item: any, i: number) => {
    const own = Array.isArray(operand) ? operand[i] ?? schema.additionalItems ?? true : operand;
    if (own === false) {
      report(path, `should NOT have more than ${quantity(operand.length, "item", "items")}`);
    } else {
      validator.check(own, item, `${path}[${i}]`, report);
    }
  });
}

const rules: Record<string, Rule> = {
  type({ operand, value, path, report }) {
    const kinds: string[] = [operand].flat();
    if (!kinds.some((k) => isKind(value, k))) {
      report(path, `should be ${kinds.join(",")}`);
    }
  },
  enum({ operand, value, path, report }) {
    if (!operand.some((one: any) => text(one) === text(value))) {
      report(path, "should be equal to one of the allowed values");
    }
  },
  const({ operand, value, path, report }) {
    if (text(operand) !== text(value)) {
      report(path, "should be equal to constant");
    }
  },
  minimum: number((v, x) => v < x, (x) => `should be >= ${x}`),
  maximum: number((v, x) => v > x, (x) => `should be <= ${x}`),
  exclusiveMinimum: number((v, x) => v <= x, (x) => `should be > ${x}`),
  exclusiveMaximum: number((v, x) => v >= x, (x) => `should be < ${x}`),
  multipleOf: number((v, x) => !Number.isInteger(v / x), (x) => `should be multiple of ${x}`),
  minLength: string((v, x) => length(v) < x, (x) => `should NOT be shorter than ${quantity(x, "character", "characters")}`),
  maxLength: string((v, x) => length(v) > x, (x) => `should NOT be longer than ${quantity(x, "character", "characters")}`),
  pattern: string((v, x) => !new RegExp(x).test(v), (x) => `should match pattern "${x}"`),
  minItems: list(({ operand: n, value, path, report }) => { value.length < n && report(path, `should NOT have fewer than ${quantity(n, "item", "items")}`); }),
  maxItems: list(({ operand: n, value, path, report }) => { value.length > n && report(path, `should NOT have more than ${quantity(n, "item", "items")}`); }),
  uniqueItems: list(({ operand, value, path, report }) => {
    if (operand && new Set(value.map(text)).size < value.length) {
      report(path, "should NOT have duplicate items");
    }
  }),
  items: list(items),
  additionalItems() { /* with items */ },
  contains: list(({ validator, operand, value, path, report }) => {
    if (!value.some((item: any) => validator.holds(operand, item))) {
      report(path, "should contain a valid item");
    }
  }),
  required: object(({ operand, value, path, report }) => {
    for (const name of operand) {
      has(value, name) || report(path, `should have required property '${name}'`);
    }
  }),
  properties: object(({ validator, operand, value, path, report }) => {
    for (const name of Object.keys(operand)) {
      has(value, name) && validator.check(operand[name], value[name], member(path, name), report);
    }
  }),
  patternProperties: object(({ validator, operand, value, path, report }) => {
    for (const [pattern, schema] of Object.entries(operand)) {
      const re = new RegExp(pattern);
      Object.keys(value).filter((name) => re.test(name)).forEach((name) => validator.check(schema, value[name], member(path, name), report));
    }
  }),
  additionalProperties: object(additional),
  propertyNames: object(({ validator, operand, value, path, report }) => {
    for (const name of Object.keys(value)) {
      validator.holds(operand, name) || report(path, `property name '${name}' is invalid`);
    }
  }),
  minProperties: object(({ operand: n, value, path, report }) => {
    Object.keys(value).length < n && report(path, `should NOT have fewer than ${quantity(n, "property", "properties")}`);
  }),
  maxProperties: object(({ operand: n, value, path, report }) => {
    Object.keys(value).length > n && report(path, `should NOT have more than ${quantity(n, "property", "properties")}`);
  }),
  dependencies: object(({ validator, operand, value, path, report }) => {
    for (const [name, needs] of Object.entries<any>(operand)) {
      if (has(value, name)) {
        validator.check(Array.isArray(needs) ? { required: needs } : needs, value, path, report);
      }
    }
  }),
  allOf({ validator, operand, value, path, report }) {
    operand.forEach((schema: any) => validator.check(schema, value, path, report));
  },
  anyOf({ validator, operand, value, path, report }) {
    operand.some((schema: any) => validator.holds(schema, value)) || report(path, "should match some schema in anyOf");
  },
  oneOf({ validator, operand, value, path, report }) {
    operand.filter((schema: any) => validator.holds(schema, value)).length === 1 || report(path, "should match exactly one schema in oneOf");
  },
  not({ validator, operand, value, path, report }) {
    validator.holds(operand, value) && report(path, "should NOT be valid");
  },
  if({ validator, schema, operand, value, path, report }) {
    const branch = validator.holds(operand, value) ? schema.then : schema.else;
    branch === undefined || validator.check(branch, value, path, report);
  },
};
