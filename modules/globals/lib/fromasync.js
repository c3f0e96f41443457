(function () {
  // Values of an iterator are awaited one after the other; an error closes it.
  async function collect(it, awaitValues, map, result) {
    const next = it.next;
    for (let index = 0; ; index++) {
      let r = next.call(it);
      if (!awaitValues) r = await r;
      if (r === null || typeof r !== "object") throw new TypeError("the result of an iterator must be an object");
      if (r.done) { result.length = index; return result; }
      try {
        const value = awaitValues ? await r.value : r.value;
        result[index] = map === undefined ? value : await map(value, index);
      } catch (error) {
        try { await it.return?.(); } catch { /* the first error counts */ }
        throw error;
      }
    }
  }
  const methods = {
    async fromAsync(items, mapper, thisArg) {
      if (mapper !== undefined && typeof mapper !== "function") throw new TypeError("the second argument of Array.fromAsync must be a function");
      const map = mapper === undefined ? undefined : (value, index) => mapper.call(thisArg, value, index);
      const C = typeof this === "function" ? this : Array;
      const makeAsync = items[Symbol.asyncIterator];
      if (makeAsync !== undefined && makeAsync !== null) return collect(makeAsync.call(items), false, map, new C());
      const make = items[Symbol.iterator];
      if (make !== undefined && make !== null) return collect(make.call(items), true, map, new C());
      const length = Math.min(Math.max(Math.trunc(Number(items.length)) || 0, 0), 2 ** 53 - 1);
      const result = new C(length);
      for (let index = 0; index < length; index++) {
        const value = await items[index];
        result[index] = map === undefined ? value : await map(value, index);
      }
      result.length = length;
      return result;
    },
  };
  if (Array.fromAsync === undefined) {
    Object.defineProperty(Array, "fromAsync", { value: methods.fromAsync, writable: true, configurable: true });
  }
  return {};
})
