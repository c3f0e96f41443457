(function () {
  // The codes of names that had one before names were enough.
  const codes = {
    IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5, NoModificationAllowedError: 7,
    NotFoundError: 8, NotSupportedError: 9, InUseAttributeError: 10, InvalidStateError: 11, SyntaxError: 12, InvalidModificationError: 13,
    NamespaceError: 14, InvalidAccessError: 15, TypeMismatchError: 17, SecurityError: 18, NetworkError: 19, AbortError: 20,
    URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24, DataCloneError: 25,
  };
  class DOMException extends Error {
    constructor(message = "", options = "Error") {
      super(message);
      const named = options !== null && typeof options === "object";
      const name = named ? (options.name === undefined ? "Error" : String(options.name)) : String(options);
      Object.defineProperty(this, "name", { value: name, writable: true, configurable: true });
      if (named && "cause" in options) {
        Object.defineProperty(this, "cause", { value: options.cause, writable: true, configurable: true });
      }
    }
    get code() { return Object.hasOwn(codes, this.name) ? codes[this.name] : 0; }
    get [Symbol.toStringTag]() { return "DOMException"; }
  }
  return { DOMException };
})
