(function (host) {
  const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const views = {
    Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
    BigInt64Array, BigUint64Array,
  };
  const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array).prototype, Symbol.toStringTag).get;

  function refuse(what) {
    throw new DOMException(what + " could not be cloned", "DataCloneError");
  }

  function cloneError(v) {
    const copy = new (Object.hasOwn(errors, v.name) ? errors[v.name] : Error)();
    for (const key of ["message", "stack", "cause"]) {
      const own = Object.getOwnPropertyDescriptor(v, key);
      if (own && "value" in own) Object.defineProperty(copy, key, { value: own.value, writable: true, configurable: true });
    }
    return copy;
  }

  // A clone is made without recursion: shells first, then what is in them.
  class Cloner {
    seen = new Map();
    work = [];

    copy(v) {
      if (typeof v === "symbol") refuse(String(v));
      if (typeof v === "function") refuse("a function");
      if (v === null || typeof v !== "object") return v;
      if (this.seen.has(v)) return this.seen.get(v);
      const shell = this.shell(v);
      this.seen.set(v, shell);
      return shell;
    }

    shell(v) {
      if (host.refused(v)) refuse("an object of this kind");
      if (Object.getPrototypeOf(v) === Object.prototype) return this.later(v, {}, this.properties);
      if (Array.isArray(v)) return this.later(v, new Array(v.length), this.properties);
      if (v instanceof Map) return this.later(v, new Map(), this.entries);
      if (v instanceof Set) return this.later(v, new Set(), this.members);
      if (v instanceof Date) return new Date(v.getTime());
      if (v instanceof RegExp) return new RegExp(v.source, v.flags);
      if (v instanceof ArrayBuffer) return v.slice(0);
      if (ArrayBuffer.isView(v)) return this.view(v);
      if (v instanceof Error) return this.error(v);
      if (v instanceof WeakMap || v instanceof WeakSet) refuse("a weak collection");
      for (const Box of [Number, String, Boolean, BigInt]) {
        if (v instanceof Box) return Object(Box.prototype.valueOf.call(v));
      }
      return this.later(v, {}, this.properties);
    }

    later(from, to, fill) {
      this.work.push([from, to, fill]);
      return to;
    }

    properties(from, to) {
      for (const key of Object.keys(from)) to[key] = this.copy(from[key]);
    }

    entries(from, to) {
      for (const [key, value] of [...from]) to.set(this.copy(key), this.copy(value));
    }

    members(from, to) {
      for (const value of [...from]) to.add(this.copy(value));
    }

    error(v) {
      const copy = cloneError(v);
      if (Object.hasOwn(copy, "cause")) this.later(v, copy, (from, to) => { to.cause = this.copy(from.cause); });
      return copy;
    }

    view(v) {
      const buffer = this.copy(v.buffer);
      if (v instanceof DataView) return new DataView(buffer, v.byteOffset, v.byteLength);
      return new views[tagOf.call(v)](buffer, v.byteOffset, v.length);
    }

    run(value, transferred) {
      const result = this.copy(value);
      for (let n = 0; n < this.work.length; n++) {
        const [from, to, fill] = this.work[n];
        this.work[n] = undefined;
        fill.call(this, from, to);
      }
      for (const buffer of transferred) host.detach(buffer);
      return result;
    }
  }

  return {
    structuredClone(value, options) {
      if (arguments.length === 0) throw new TypeError("structuredClone needs an argument");
      const transferred = [...(options?.transfer ?? [])];
      for (const t of transferred) {
        if (!(t instanceof ArrayBuffer)) refuse("an object that cannot be transferred");
      }
      return new Cloner().run(value, transferred);
    },
  };
})
