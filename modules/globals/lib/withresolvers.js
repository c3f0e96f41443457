(function () {
  const methods = {
    withResolvers() {
      let resolve, reject;
      const promise = new this((a, b) => { resolve = a; reject = b; });
      return { promise, resolve, reject };
    },
  };
  if (Promise.withResolvers === undefined) {
    Object.defineProperty(Promise, "withResolvers", { value: methods.withResolvers, writable: true, configurable: true });
  }
  return {};
})
