(function (host) {
  const secret = Symbol();
  const maxDelay = 2 ** 53 - 1;
  // Signals that something is waiting for but nobody may hold otherwise.
  const awaited = new Set();

  const report = (error) => { Promise.reject(error); };

  class Event {
    #type; #bubbles; #cancelable; #canceled = false;
    #timeStamp = performance.now();
    constructor(type, init = {}) {
      if (arguments.length === 0) throw new TypeError("Event needs a type");
      this.#type = String(type);
      this.#bubbles = Boolean(init?.bubbles);
      this.#cancelable = Boolean(init?.cancelable);
    }
    [secret] = { target: null, stopped: false };
    get type() { return this.#type; }
    get target() { return this[secret].target; }
    get currentTarget() { return this[secret].target; }
    get bubbles() { return this.#bubbles; }
    get cancelable() { return this.#cancelable; }
    get defaultPrevented() { return this.#canceled; }
    get timeStamp() { return this.#timeStamp; }
    preventDefault() { if (this.#cancelable) this.#canceled = true; }
    stopPropagation() {}
    stopImmediatePropagation() { this[secret].stopped = true; }
  }

  class EventTarget {
    #listeners = new Map();

    addEventListener(type, callback, options) {
      if (callback === null || callback === undefined) return;
      if (typeof callback !== "function" && typeof callback !== "object") throw new TypeError("the listener must be a function or an object");
      const { once = false, signal } = options !== null && typeof options === "object" ? options : {};
      if (signal?.aborted) return;
      type = String(type);
      const list = this.#listeners.get(type) ?? [];
      if (list.some((l) => l.callback === callback)) return;
      this.#listeners.set(type, [...list, { callback, once: Boolean(once) }]);
      signal?.addEventListener("abort", () => this.removeEventListener(type, callback), { once: true });
    }

    removeEventListener(type, callback) {
      type = String(type);
      const list = (this.#listeners.get(type) ?? []).filter((l) => l.callback !== callback);
      if (list.length > 0) this.#listeners.set(type, list);
      else this.#listeners.delete(type);
    }

    dispatchEvent(event) {
      if (!(event instanceof Event)) throw new TypeError("dispatchEvent needs an Event");
      const state = event[secret];
      state.target = this;
      for (const listener of this.#listeners.get(event.type) ?? []) {
        if (!this.#listeners.get(event.type)?.includes(listener)) continue;
        if (listener.once) this.removeEventListener(event.type, listener.callback);
        try {
          if (typeof listener.callback === "function") listener.callback.call(this, event);
          else listener.callback.handleEvent(event);
        } catch (error) {
          report(error);
        }
        if (state.stopped) break;
      }
      return !event.defaultPrevented;
    }

    static [secret](target, type) { return target.#listeners.has(type); }
  }

  class AbortSignal extends EventTarget {
    #aborted = false; #reason; #onabort = null;
    #later = false; // it may be aborted by a timer or by another signal
    #sources; #dependents = [];

    constructor(key) {
      if (key !== secret) throw new TypeError("Illegal constructor");
      super();
    }

    static abort(reason) {
      const signal = new AbortSignal(secret);
      abort(signal, reason);
      return signal;
    }

    static timeout(milliseconds) {
      const ms = Number(milliseconds);
      if (!(ms >= 0 && ms <= maxDelay)) throw new TypeError("AbortSignal.timeout needs a number of milliseconds");
      const signal = new AbortSignal(secret);
      signal.#later = true;
      host.after(Math.min(ms, 2 ** 40), signal, timedOut);
      return signal;
    }

    static any(signals) {
      const result = new AbortSignal(secret);
      const sources = [...signals];
      for (const source of sources) {
        if (!(source instanceof AbortSignal)) throw new TypeError("AbortSignal.any needs AbortSignals");
        if (!result.#aborted && source.#aborted) abort(result, source.#reason);
      }
      if (result.#aborted) return result;
      result.#later = true;
      result.#sources = sources;
      for (const source of sources) source.#follow(result);
      return result;
    }

    // A signal made by any keeps its sources, not the reverse: a long-lived
    // source does not collect what followed it.
    #follow(dependent) {
      if (this.#dependents.length >= 16 && (this.#dependents.length & (this.#dependents.length - 1)) === 0) {
        this.#dependents = this.#dependents.filter((ref) => ref.deref() !== undefined);
      }
      this.#dependents.push(new WeakRef(dependent));
    }

    get aborted() { return this.#aborted; }
    get reason() { return this.#reason; }
    get onabort() { return this.#onabort; }
    set onabort(callback) {
      this.#onabort = typeof callback === "function" || (callback !== null && typeof callback === "object") ? callback : null;
      this.#await();
    }
    throwIfAborted() { if (this.#aborted) throw this.#reason; }

    addEventListener(type, callback, options) {
      super.addEventListener(type, callback, options);
      this.#await();
    }
    removeEventListener(type, callback, options) {
      super.removeEventListener(type, callback, options);
      this.#await();
    }

    #await() {
      if (this.#later && !this.#aborted && (this.#onabort !== null || EventTarget[secret](this, "abort"))) awaited.add(this);
      else awaited.delete(this);
    }

    static [secret] = (signal, reason) => {
      if (signal.#aborted) return;
      signal.#aborted = true;
      signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
      const dependents = signal.#dependents.map((ref) => ref.deref());
      signal.#dependents = [];
      signal.#sources = undefined;
      const event = new Event("abort");
      if (typeof signal.#onabort === "function") {
        event[secret].target = signal;
        try { signal.#onabort.call(signal, event); } catch (error) { report(error); }
      }
      signal.dispatchEvent(event);
      awaited.delete(signal);
      for (const dependent of dependents) if (dependent) abort(dependent, signal.#reason);
    };
    get [Symbol.toStringTag]() { return "AbortSignal"; }
  }
  const abort = AbortSignal[secret];
  delete AbortSignal[secret];
  const timedOut = (signal) => abort(signal, new DOMException("The operation timed out", "TimeoutError"));

  class AbortController {
    #signal = new AbortSignal(secret);
    get signal() { return this.#signal; }
    abort(reason) { abort(this.#signal, reason); }
    get [Symbol.toStringTag]() { return "AbortController"; }
  }

  return { Event, EventTarget, AbortSignal, AbortController };
})
