(function () {
  const settled = Promise.resolve();
  return {
    queueMicrotask(callback) {
      if (typeof callback !== "function") throw new TypeError("queueMicrotask needs a function");
      settled.then(() => { callback(); });
    },
  };
})
