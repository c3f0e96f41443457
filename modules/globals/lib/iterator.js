(function () {
  const IteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));

  function Iterator() {
    if (new.target === undefined || new.target === Iterator) throw new TypeError("Iterator is an abstract class");
  }

  const receiver = (it) => {
    if (it === null || (typeof it !== "object" && typeof it !== "function")) throw new TypeError("the receiver is no iterator");
    return it;
  };
  const close = (it) => { if (it.return !== undefined && it.return !== null) it.return(); };
  const closing = (it, f) => {
    try { return f(); } catch (error) {
      try { close(it); } catch { /* the first error counts */ }
      throw error;
    }
  };
  const needFunction = (it, f) => {
    receiver(it);
    closing(it, () => { if (typeof f !== "function") throw new TypeError("the argument must be a function"); });
  };
  const count = (it, n) => {
    receiver(it);
    return closing(it, () => {
      n = Number(n);
      if (Number.isNaN(n) || Math.trunc(n) < 0) throw new RangeError("the argument must be a number that is not negative");
      return Math.trunc(n);
    });
  };
  const step = (it, next) => {
    const r = next.call(it);
    if (r === null || typeof r !== "object") throw new TypeError("the result of an iterator must be an object");
    return r;
  };

  // What map, filter and the like return. advance gives the next result; alive
  // is what it must close when nobody wants more.
  class IteratorHelper {
    #it; #advance; #done = false; #running = false;
    constructor(it, advance) { this.#it = it; this.#advance = advance; }
    next() {
      if (this.#running) throw new TypeError("the iterator is running already");
      if (this.#done) return { value: undefined, done: true };
      this.#running = true;
      try {
        const r = this.#advance();
        if (r === undefined) { this.#done = true; return { value: undefined, done: true }; }
        return { value: r.value, done: false };
      } catch (error) {
        this.#done = true;
        throw error;
      } finally {
        this.#running = false;
      }
    }
    return() {
      if (!this.#done) { this.#done = true; close(this.#it); }
      return { value: undefined, done: true };
    }
    get [Symbol.toStringTag]() { return "Iterator Helper"; }
  }
  Object.setPrototypeOf(IteratorHelper.prototype, IteratorPrototype);

  const iteratorOf = (v, strings) => {
    if (v === null || (typeof v !== "object" && !(strings && typeof v === "string"))) throw new TypeError("the value is not iterable");
    const make = v[Symbol.iterator];
    return make === undefined || make === null ? v : receiver(make.call(v));
  };

  // run calls f for each value until it returns something other than undefined.
  const run = (it, f) => {
    const next = it.next;
    for (let index = 0; ; index++) {
      const r = step(it, next);
      if (r.done) return undefined;
      const out = closing(it, () => f(r.value, index));
      if (out !== undefined) { close(it); return out; }
    }
  };

  const methods = {
    map(f) {
      needFunction(this, f);
      const it = this, next = this.next;
      let index = 0;
      return new IteratorHelper(it, () => {
        const r = step(it, next);
        return r.done ? undefined : { value: closing(it, () => f(r.value, index++)) };
      });
    },
    filter(f) {
      needFunction(this, f);
      const it = this, next = this.next;
      let index = 0;
      return new IteratorHelper(it, () => {
        for (;;) {
          const r = step(it, next);
          if (r.done) return undefined;
          const value = r.value;
          if (closing(it, () => f(value, index++))) return { value };
        }
      });
    },
    take(limit) {
      let left = count(this, limit);
      const it = this, next = this.next;
      return new IteratorHelper(it, () => {
        if (left-- <= 0) { close(it); return undefined; }
        const r = step(it, next);
        return r.done ? undefined : r;
      });
    },
    drop(limit) {
      let left = count(this, limit);
      const it = this, next = this.next;
      return new IteratorHelper(it, () => {
        for (; left > 0; left--) if (step(it, next).done) return undefined;
        const r = step(it, next);
        return r.done ? undefined : r;
      });
    },
    flatMap(f) {
      needFunction(this, f);
      const it = this, next = this.next;
      let index = 0, inner;
      const both = { return() { const i = inner; inner = undefined; if (i) close(i.it); close(it); } };
      return new IteratorHelper(both, () => {
        for (;;) {
          if (inner === undefined) {
            const r = step(it, next);
            if (r.done) return undefined;
            closing(it, () => { const i = iteratorOf(f(r.value, index++), false); inner = { it: i, next: i.next }; });
          }
          const r = closing(it, () => { const x = step(inner.it, inner.next); return x.done ? undefined : { value: x.value }; });
          if (r !== undefined) return r;
          inner = undefined;
        }
      });
    },
    reduce(f, ...initial) {
      needFunction(this, f);
      const it = this;
      let sum, some = initial.length > 0;
      if (some) sum = initial[0];
      run(it, (value, index) => { if (some) sum = f(sum, value, index); else { some = true; sum = value; } });
      if (!some) throw new TypeError("reduce of an empty iterator with no initial value");
      return sum;
    },
    toArray() {
      const all = [];
      run(receiver(this), (value) => { all.push(value); });
      return all;
    },
    forEach(f) {
      needFunction(this, f);
      run(this, (value, index) => { f(value, index); });
    },
    some(f) {
      needFunction(this, f);
      return run(this, (value, index) => (f(value, index) ? true : undefined)) === true;
    },
    every(f) {
      needFunction(this, f);
      return run(this, (value, index) => (f(value, index) ? undefined : false)) !== false;
    },
    find(f) {
      needFunction(this, f);
      return run(this, (value, index) => (f(value, index) ? { value } : undefined))?.value;
    },
  };
  for (const name of Object.keys(methods)) {
    if (!(name in IteratorPrototype)) {
      Object.defineProperty(IteratorPrototype, name, { value: methods[name], writable: true, configurable: true });
    }
  }
  const define = (o, key, value) => Object.defineProperty(o, key, { value, writable: true, configurable: true });
  define(IteratorPrototype, Symbol.toStringTag, "Iterator");
  define(IteratorPrototype, "constructor", Iterator);
  Object.defineProperty(Iterator, "prototype", { value: IteratorPrototype });

  class WrappedIterator {
    #it; #next;
    constructor(it) { this.#it = it; this.#next = it.next; }
    next() { return this.#next.call(this.#it); }
    return() { return this.#it.return === undefined ? { value: undefined, done: true } : this.#it.return(); }
  }
  Object.setPrototypeOf(WrappedIterator.prototype, IteratorPrototype);
  define(Iterator, "from", function from(v) {
    const it = iteratorOf(v, true);
    return it instanceof Iterator ? it : new WrappedIterator(it);
  });
  return { Iterator };
})
