(function (host) {
  const Native = RegExp;
  // The source that a script wrote, where what runs is another one.
  const written = new WeakMap();
  const source = Object.getOwnPropertyDescriptor(Native.prototype, "source").get;

  function RegExp_(pattern, flags) {
    const isRegExp = pattern !== null && typeof pattern === "object" && pattern[Symbol.match] !== undefined;
    if (new.target === undefined && isRegExp && flags === undefined && pattern.constructor === RegExp_) return pattern;
    const text = isRegExp ? pattern.source : pattern === undefined ? "" : String(pattern);
    const how = flags === undefined ? (isRegExp ? pattern.flags : "") : String(flags);
    const target = new.target === undefined || new.target === RegExp_ ? Native : new.target;
    if (!/\\p/i.test(text) || !how.includes("u")) return Reflect.construct(Native, [text, how], target);
    const made = target === Native ? new Native(compiled(text, how)) : Reflect.construct(Native, [host.rewrite(text, how), how], target);
    written.set(made, text);
    return made;
  }

  // A literal stands where it is evaluated again and again; a copy of a compiled
  // expression costs next to nothing.
  const cache = new Map();
  function compiled(text, flags) {
    const key = flags + "/" + text;
    let made = cache.get(key);
    if (made === undefined) {
      made = new Native(host.rewrite(text, flags), flags);
      if (cache.size >= 64) cache.clear();
      cache.set(key, made);
    }
    return made;
  }

  const define = (o, key, value) => Object.defineProperty(o, key, { value, writable: true, configurable: true });
  define(RegExp_, "name", "RegExp");
  Object.defineProperty(RegExp_, "prototype", { value: Native.prototype, writable: false });
  Object.defineProperty(RegExp_, Symbol.species, { get() { return this; }, configurable: true });
  for (const key of Object.getOwnPropertyNames(Native)) {
    if (!Object.hasOwn(RegExp_, key)) Object.defineProperty(RegExp_, key, Object.getOwnPropertyDescriptor(Native, key));
  }
  define(Native.prototype, "constructor", RegExp_);
  Object.defineProperty(Native.prototype, "source", {
    get() { return written.get(this) ?? source.call(this); },
    configurable: true,
  });
  const methods = {
    toString() { return "/" + this.source + "/" + this.flags; },
  };
  define(Native.prototype, "toString", methods.toString);
  define(globalThis, "RegExp", RegExp_);
  return {};
})
