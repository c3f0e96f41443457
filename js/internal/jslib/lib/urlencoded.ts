// form-urlencoded: objects as the body of a form.

interface Options {
  sorted?: boolean;
  skipIndex?: boolean;
  ignorenull?: boolean;
}

const encode = (text: unknown): string =>
  encodeURIComponent(String(text)).replace(/[!'()~*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll("%20", "+");

/** name=value pairs; what is nested has its path in brackets. Falsy data stays as it is. */
export default function formUrlencoded(data: any, opts: Options = {}): any {
  if (!data) {
    return data;
  }
  return keysOf(data, opts).flatMap((k) => pairs(k, data[k], opts)).join("&");
}

function keysOf(object: object, opts: Options): string[] {
  const keys = Object.keys(object);
  return opts.sorted ? keys.sort() : keys;
}

function pairs(name: string, value: any, opts: Options): string[] {
  if (value === undefined || typeof value === "function") {
    return [];
  }
  if (value === null) {
    return opts.ignorenull ? [] : [`${encode(name)}=null`];
  }
  if (Array.isArray(value)) {
    if (value.length === 0) {
      return [encode(`${name}[]`)];
    }
    return value.flatMap((v, i) => pairs(`${name}[${opts.skipIndex ? "" : i}]`, v, opts));
  }
  if (typeof value === "object" && !(value instanceof Date)) {
    return keysOf(value, opts).flatMap((k) => pairs(`${name}[${k}]`, value[k], opts));
  }
  return [`${encode(name)}=${encode(value)}`];
}
