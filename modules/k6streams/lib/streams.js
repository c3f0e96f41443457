(function () {
  // The state of every object of these classes, out of reach of scripts.
  const slots = new WeakMap();
  const slot = (o, kind) => {
    const s = slots.get(o);
    if (s === undefined || s.kind !== kind) throw new TypeError(`Illegal invocation: the receiver is no ${kind}`);
    return s;
  };
  const make = (Class, s) => {
    const o = Object.create(Class.prototype);
    slots.set(o, s);
    return o;
  };

  // A promise that can be settled from outside; `pending` tells whether it has been.
  class Deferred {
    constructor() {
      this.pending = true;
      this.promise = new Promise((resolve, reject) => {
        this.resolve = (v) => { this.pending = false; resolve(v); };
        this.reject = (e) => { this.pending = false; reject(e); };
      });
    }
    static resolved() { const d = new Deferred(); d.resolve(); return d; }
    static rejected(e) { const d = new Deferred(); d.fail(e); return d; }
    // fail rejects without making it an error if nobody looks.
    fail(e) { this.promise.then(undefined, () => {}); this.reject(e); return this; }
  }
  const call = (f, self, ...args) => {
    if (f === undefined) return Promise.resolve();
    try { return Promise.resolve(f.apply(self, args)); } catch (e) { return Promise.reject(e); }
  };
  // Methods that give promises reject instead of throwing.
  const promised = (f) => { try { return f(); } catch (e) { return Promise.reject(e); } };

  const member = (o, name) => {
    const f = o[name];
    if (f !== undefined && typeof f !== "function") throw new TypeError(`${name} must be a function`);
    return f;
  };
  const underlying = (o, what) => {
    if (o === undefined) return {};
    if (o === null || typeof o !== "object" && typeof o !== "function") throw new TypeError(`the ${what} must be an object`);
    return o;
  };
  const strategyOf = (strategy, standard) => {
    const s = strategy === null ? {} : underlying(strategy, "strategy");
    const size = member(s, "size");
    let highWaterMark = standard;
    if (s.highWaterMark !== undefined) {
      highWaterMark = Number(s.highWaterMark);
      if (!(highWaterMark >= 0)) throw new RangeError("highWaterMark must be a number that is not negative");
    }
    return { highWaterMark, size: size === undefined ? () => 1 : (chunk) => size(chunk) };
  };

  // A queue of chunks with their sizes.
  class Queue {
    constructor() { this.clear(); }
    clear() { this.items = []; this.total = 0; }
    get empty() { return this.items.length === 0; }
    push(value, size) {
      size = Number(size);
      if (!(size >= 0) || size === Infinity) throw new RangeError("the size of a chunk must be a finite number that is not negative");
      this.items.push({ value, size });
      this.total += size;
    }
    shift() {
      const { value, size } = this.items.shift();
      this.total = this.empty ? 0 : Math.max(0, this.total - size);
      return value;
    }
  }

  class CountQueuingStrategy {
    constructor(init) {
      const o = init === undefined ? undefined : underlying(init, "argument");
      if (o === undefined || o.highWaterMark === undefined) throw new TypeError("CountQueuingStrategy needs an object with highWaterMark");
      slots.set(this, { kind: "CountQueuingStrategy", highWaterMark: Number(o.highWaterMark) });
    }
    get highWaterMark() { return slot(this, "CountQueuingStrategy").highWaterMark; }
    get size() { slot(this, "CountQueuingStrategy"); return count; }
  }
  const count = Object.defineProperty(() => 1, "name", { value: "size" });

  // ---- reading ----

  const readable = {
    close(s) {
      s.state = "closed";
      const reader = s.reader;
      if (reader === undefined) return;
      reader.closed.resolve();
      for (const r of reader.requests.splice(0)) r.resolve({ value: undefined, done: true });
    },
    error(s, e) {
      s.state = "errored";
      s.stored = e;
      const reader = s.reader;
      if (reader === undefined) return;
      reader.closed.fail(e);
      for (const r of reader.requests.splice(0)) r.reject(e);
    },
    async cancel(s, reason) {
      s.disturbed = true;
      if (s.state === "closed") return;
      if (s.state === "errored") throw s.stored;
      readable.close(s);
      const c = s.controller;
      c.queue.clear();
      const { cancel, source } = c;
      readable.forget(c);
      await call(cancel, source, reason);
    },
    // forget lets go of what the script gave: nothing of it is called any more.
    forget(c) { c.pull = c.cancel = undefined; c.size = () => 1; },
    canEnqueue(c) { return !c.closeRequested && c.stream.state === "readable"; },
    desired(c) {
      if (c.stream.state === "errored") return null;
      return c.stream.state === "closed" ? 0 : c.highWaterMark - c.queue.total;
    },
    shouldPull(c) {
      if (!c.started || !readable.canEnqueue(c)) return false;
      const reader = c.stream.reader;
      return reader !== undefined && reader.requests.length > 0 || readable.desired(c) > 0;
    },
    pull(c) {
      if (!readable.shouldPull(c)) return;
      if (c.pulling) { c.pullAgain = true; return; }
      c.pulling = true;
      call(c.pull, c.source, c.object).then(() => {
        c.pulling = false;
        if (c.pullAgain) { c.pullAgain = false; readable.pull(c); }
      }, (e) => readable.fail(c, e));
    },
    fail(c, e) {
      if (c.stream.state !== "readable") return;
      c.queue.clear();
      readable.forget(c);
      readable.error(c.stream, e);
    },
    enqueue(c, chunk) {
      const reader = c.stream.reader;
      if (reader !== undefined && reader.requests.length > 0) {
        reader.requests.shift().resolve({ value: chunk, done: false });
      } else {
        try { c.queue.push(chunk, c.size(chunk)); } catch (e) { readable.fail(c, e); throw e; }
      }
      readable.pull(c);
    },
    read(s) {
      s.disturbed = true;
      if (s.state === "closed") return Promise.resolve({ value: undefined, done: true });
      if (s.state === "errored") return Promise.reject(s.stored);
      const c = s.controller;
      if (c.queue.empty) {
        const request = new Deferred();
        s.reader.requests.push(request);
        readable.pull(c);
        return request.promise;
      }
      const value = c.queue.shift();
      if (c.closeRequested && c.queue.empty) {
        readable.forget(c);
        readable.close(s);
      } else {
        readable.pull(c);
      }
      return Promise.resolve({ value, done: false });
    },
    release(r) {
      const s = r.stream;
      if (s === undefined) return;
      const e = new TypeError("the reader was released");
      if (r.closed.pending) r.closed.fail(e); else r.closed = Deferred.rejected(e);
      for (const request of r.requests.splice(0)) request.reject(e);
      s.reader = undefined;
      r.stream = undefined;
    },
  };

  class ReadableStreamDefaultController {
    constructor() { throw new TypeError("Illegal constructor"); }
    get desiredSize() { return readable.desired(slot(this, "ReadableStreamDefaultController")); }
    enqueue(chunk) {
      const c = slot(this, "ReadableStreamDefaultController");
      if (!readable.canEnqueue(c)) throw new TypeError("cannot enqueue a chunk: the stream is closed, errored or closing");
      readable.enqueue(c, chunk);
    }
    close() {
      const c = slot(this, "ReadableStreamDefaultController");
      if (!readable.canEnqueue(c)) throw new TypeError("cannot close the stream: it is closed, errored or closing");
      c.closeRequested = true;
      if (c.queue.empty) {
        readable.forget(c);
        readable.close(c.stream);
      }
    }
    error(reason) { readable.fail(slot(this, "ReadableStreamDefaultController"), reason); }
  }

  class ReadableStream {
    constructor(source, strategy) {
      source = underlying(source, "source");
      if (source.type !== undefined) {
        if (String(source.type) === "bytes") throw new RangeError("streams of bytes are not supported");
        throw new TypeError(`there is no type ${source.type} of streams`);
      }
      const s = { kind: "ReadableStream", state: "readable", stored: undefined, reader: undefined, disturbed: false };
      const c = {
        kind: "ReadableStreamDefaultController", stream: s, source, queue: new Queue(), started: false,
        closeRequested: false, pulling: false, pullAgain: false,
        pull: member(source, "pull"), cancel: member(source, "cancel"), ...strategyOf(strategy, 1),
      };
      const start = member(source, "start");
      c.object = make(ReadableStreamDefaultController, c);
      s.controller = c;
      slots.set(this, s);
      const started = start === undefined ? undefined : start.call(source, c.object);
      Promise.resolve(started).then(() => { c.started = true; readable.pull(c); }, (e) => readable.fail(c, e));
    }
    get locked() { return slot(this, "ReadableStream").reader !== undefined; }
    cancel(reason) {
      return promised(() => {
        const s = slot(this, "ReadableStream");
        if (s.reader !== undefined) throw new TypeError("cannot cancel a stream that is locked to a reader");
        return readable.cancel(s, reason);
      });
    }
    getReader(options) {
      slot(this, "ReadableStream");
      if (options !== undefined && options !== null && options.mode !== undefined) throw new TypeError("only default readers are supported");
      return new ReadableStreamDefaultReader(this);
    }
    values(options) {
      const reader = this.getReader();
      const keep = Boolean(options?.preventCancel);
      return {
        async next() {
          try {
            const r = await reader.read();
            if (r.done) reader.releaseLock();
            return r;
          } catch (e) { reader.releaseLock(); throw e; }
        },
        async return(value) {
          const cancelled = keep ? undefined : reader.cancel(value);
          reader.releaseLock();
          await cancelled;
          return { value, done: true };
        },
        [asyncIterator]() { return this; },
      };
    }
    [Symbol.asyncIterator ?? Symbol.for("Symbol.asyncIterator")](options) { return this.values(options); }
  }
  const asyncIterator = Symbol.asyncIterator ?? Symbol.for("Symbol.asyncIterator");

  class ReadableStreamDefaultReader {
    constructor(stream) {
      const s = slot(stream, "ReadableStream");
      if (s.reader !== undefined) throw new TypeError("the stream is locked to another reader");
      const r = { kind: "ReadableStreamDefaultReader", stream: s, requests: [], closed: undefined };
      switch (s.state) {
        case "readable": r.closed = new Deferred(); break;
        case "closed": r.closed = Deferred.resolved(); break;
        default: r.closed = Deferred.rejected(s.stored);
      }
      s.reader = r;
      slots.set(this, r);
    }
    get closed() { return promised(() => slot(this, "ReadableStreamDefaultReader").closed.promise); }
    read() {
      return promised(() => {
        const r = slot(this, "ReadableStreamDefaultReader");
        if (r.stream === undefined) throw new TypeError("the reader was released");
        return readable.read(r.stream);
      });
    }
    cancel(reason) {
      return promised(() => {
        const r = slot(this, "ReadableStreamDefaultReader");
        if (r.stream === undefined) throw new TypeError("the reader was released");
        return readable.cancel(r.stream, reason);
      });
    }
    releaseLock() { readable.release(slot(this, "ReadableStreamDefaultReader")); }
  }

  // ---- writing ----

  const closing = {}; // the mark in the queue behind the last chunk

  const writable = {
    // busy tells whether a call of the sink is under way.
    busy(s) { return s.writing !== undefined || s.closingNow !== undefined; },
    willClose(s) { return s.closeRequest !== undefined || s.closingNow !== undefined; },
    desired(c) { return c.highWaterMark - c.queue.total; },
    forget(c) { c.write = c.close = c.abort = undefined; c.size = () => 1; },
    backpressure(s, on) {
      if (s.writer !== undefined && on !== s.pressed) {
        if (on) s.writer.ready = new Deferred(); else s.writer.ready.resolve();
      }
      s.pressed = on;
    },
    reject(w, name, e) {
      if (w[name].pending) w[name].fail(e); else w[name] = Deferred.rejected(e);
    },
    startErroring(s, e) {
      s.state = "erroring";
      s.stored = e;
      if (s.writer !== undefined) writable.reject(s.writer, "ready", e);
      if (!writable.busy(s) && s.controller.started) writable.finishErroring(s);
    },
    finishErroring(s) {
      s.state = "errored";
      s.controller.queue.clear();
      for (const r of s.requests.splice(0)) r.reject(s.stored);
      const abort = s.aborting;
      s.aborting = undefined;
      if (abort === undefined) return writable.rejectClosed(s);
      if (abort.late) {
        abort.reject(s.stored);
        return writable.rejectClosed(s);
      }
      const { abort: f, sink } = s.controller;
      writable.forget(s.controller);
      call(f, sink, abort.reason).then(() => { abort.resolve(); writable.rejectClosed(s); }, (e) => { abort.reject(e); writable.rejectClosed(s); });
    },
    rejectClosed(s) {
      if (s.closeRequest !== undefined) {
        s.closeRequest.reject(s.stored);
        s.closeRequest = undefined;
      }
      if (s.writer !== undefined) writable.reject(s.writer, "closed", s.stored);
    },
    // failed is what an error of the sink leads to.
    failed(s, e) {
      if (s.state === "writable") writable.startErroring(s, e); else writable.finishErroring(s);
    },
    errorIfWritable(c, e) {
      if (c.stream.state !== "writable") return;
      writable.forgetBut(c);
      writable.startErroring(c.stream, e);
    },
    // forgetBut keeps abort, which an abort that is already asked for still calls.
    forgetBut(c) { c.write = c.close = undefined; c.size = () => 1; },
    abort(s, reason) {
      if (s.state === "closed" || s.state === "errored") return Promise.resolve();
      writable.signal(s.controller, reason);
      if (s.state === "closed" || s.state === "errored") return Promise.resolve();
      if (s.aborting !== undefined) return s.aborting.promise;
      const d = new Deferred();
      d.late = s.state === "erroring";
      d.reason = d.late ? undefined : reason;
      s.aborting = d;
      if (!d.late) writable.startErroring(s, reason);
      return d.promise;
    },
    // signal aborts the controller's signal, if anybody has asked for it.
    signal(c, reason) {
      if (c.aborted === undefined) c.aborted = { reason };
      if (c.aborter !== undefined) c.aborter.abort(reason);
    },
    close(s) {
      if (s.state === "closed" || s.state === "errored") throw new TypeError(`cannot close a stream that is ${s.state}`);
      if (writable.willClose(s)) throw new TypeError("the stream is closing already");
      const d = s.closeRequest = new Deferred();
      if (s.writer !== undefined && s.pressed && s.state === "writable") s.writer.ready.resolve();
      s.controller.queue.push(closing, 0);
      writable.advance(s.controller);
      return d.promise;
    },
    advance(c) {
      const s = c.stream;
      if (!c.started || s.writing !== undefined || s.state === "closed" || s.state === "errored") return;
      if (s.state === "erroring") return writable.finishErroring(s);
      if (c.queue.empty) return;
      const next = c.queue.items[0].value;
      if (next === closing) writable.sinkClose(c); else writable.sinkWrite(c, next);
    },
    sinkClose(c) {
      const s = c.stream;
      const d = s.closingNow = s.closeRequest;
      s.closeRequest = undefined;
      c.queue.shift();
      const { close, sink } = c;
      writable.forgetBut(c);
      call(close, sink).then(() => {
        d.resolve();
        s.closingNow = undefined;
        if (s.state === "erroring") {
          s.stored = undefined;
          if (s.aborting !== undefined) { s.aborting.resolve(); s.aborting = undefined; }
        }
        s.state = "closed";
        if (s.writer !== undefined) s.writer.closed.resolve();
      }, (e) => {
        d.reject(e);
        s.closingNow = undefined;
        if (s.aborting !== undefined) { s.aborting.reject(e); s.aborting = undefined; }
        writable.failed(s, e);
      });
    },
    sinkWrite(c, chunk) {
      const s = c.stream;
      const d = s.writing = s.requests.shift();
      call(c.write, c.sink, chunk, c.object).then(() => {
        d.resolve();
        s.writing = undefined;
        c.queue.shift();
        if (s.state === "writable" && !writable.willClose(s)) writable.backpressure(s, writable.desired(c) <= 0);
        writable.advance(c);
      }, (e) => {
        if (s.state === "writable") writable.forgetBut(c);
        d.reject(e);
        s.writing = undefined;
        writable.failed(s, e);
      });
    },
    write(w, chunk) {
      const s = w.stream, c = s.controller;
      let size = 1;
      try { size = c.size(chunk); } catch (e) { writable.errorIfWritable(c, e); }
      if (w.stream !== s) throw new TypeError("the writer was released");
      if (s.state === "errored") throw s.stored;
      if (s.state === "closed" || writable.willClose(s)) throw new TypeError("cannot write to a stream that is closing or closed");
      if (s.state === "erroring") throw s.stored;
      const d = new Deferred();
      s.requests.push(d);
      try { c.queue.push(chunk, size); } catch (e) { writable.errorIfWritable(c, e); return d.promise; }
      if (s.state === "writable") writable.backpressure(s, writable.desired(c) <= 0);
      writable.advance(c);
      return d.promise;
    },
    release(w) {
      if (w.stream === undefined) return;
      const e = new TypeError("the writer was released");
      writable.reject(w, "ready", e);
      writable.reject(w, "closed", e);
      w.stream.writer = undefined;
      w.stream = undefined;
    },
  };

  class WritableStreamDefaultController {
    constructor() { throw new TypeError("Illegal constructor"); }
    get signal() {
      const c = slot(this, "WritableStreamDefaultController");
      if (c.aborter === undefined) {
        c.aborter = new AbortController();
        if (c.aborted !== undefined) c.aborter.abort(c.aborted.reason);
      }
      return c.aborter.signal;
    }
    error(reason) { writable.errorIfWritable(slot(this, "WritableStreamDefaultController"), reason); }
  }

  class WritableStream {
    constructor(sink, strategy) {
      sink = underlying(sink, "sink");
      if (sink.type !== undefined) throw new RangeError("a sink has no type");
      const s = {
        kind: "WritableStream", state: "writable", stored: undefined, writer: undefined, requests: [],
        writing: undefined, closeRequest: undefined, closingNow: undefined, aborting: undefined, pressed: false,
      };
      const c = {
        kind: "WritableStreamDefaultController", stream: s, sink, queue: new Queue(), started: false, aborter: undefined, aborted: undefined,
        write: member(sink, "write"), close: member(sink, "close"), abort: member(sink, "abort"), ...strategyOf(strategy, 1),
      };
      const start = member(sink, "start");
      c.object = make(WritableStreamDefaultController, c);
      s.controller = c;
      slots.set(this, s);
      writable.backpressure(s, writable.desired(c) <= 0);
      const started = start === undefined ? undefined : start.call(sink, c.object);
      Promise.resolve(started).then(() => { c.started = true; writable.advance(c); }, (e) => { c.started = true; writable.failed(s, e); });
    }
    get locked() { return slot(this, "WritableStream").writer !== undefined; }
    abort(reason) {
      return promised(() => {
        const s = slot(this, "WritableStream");
        if (s.writer !== undefined) throw new TypeError("cannot abort a stream that is locked to a writer");
        return writable.abort(s, reason);
      });
    }
    close() {
      return promised(() => {
        const s = slot(this, "WritableStream");
        if (s.writer !== undefined) throw new TypeError("cannot close a stream that is locked to a writer");
        return writable.close(s);
      });
    }
    getWriter() { slot(this, "WritableStream"); return new WritableStreamDefaultWriter(this); }
  }

  class WritableStreamDefaultWriter {
    constructor(stream) {
      const s = slot(stream, "WritableStream");
      if (s.writer !== undefined) throw new TypeError("the stream is locked to another writer");
      const w = { kind: "WritableStreamDefaultWriter", stream: s, ready: undefined, closed: undefined };
      switch (s.state) {
        case "writable":
          w.ready = s.pressed && !writable.willClose(s) ? new Deferred() : Deferred.resolved();
          w.closed = new Deferred();
          break;
        case "erroring":
          w.ready = Deferred.rejected(s.stored);
          w.closed = new Deferred();
          break;
        case "closed":
          w.ready = Deferred.resolved();
          w.closed = Deferred.resolved();
          break;
        default:
          w.ready = Deferred.rejected(s.stored);
          w.closed = Deferred.rejected(s.stored);
      }
      s.writer = w;
      slots.set(this, w);
    }
    get closed() { return promised(() => slot(this, "WritableStreamDefaultWriter").closed.promise); }
    get ready() { return promised(() => slot(this, "WritableStreamDefaultWriter").ready.promise); }
    get desiredSize() {
      const { state, controller } = held(this).stream;
      if (state === "errored" || state === "erroring") return null;
      return state === "closed" ? 0 : writable.desired(controller);
    }
    write(chunk) { return promised(() => writable.write(held(this), chunk)); }
    close() { return promised(() => writable.close(held(this).stream)); }
    abort(reason) { return promised(() => writable.abort(held(this).stream, reason)); }
    releaseLock() { writable.release(slot(this, "WritableStreamDefaultWriter")); }
  }
  const held = (writer) => {
    const w = slot(writer, "WritableStreamDefaultWriter");
    if (w.stream === undefined) throw new TypeError("the writer was released");
    return w;
  };

  const all = { CountQueuingStrategy, ReadableStream, ReadableStreamDefaultReader, WritableStream, WritableStreamDefaultWriter };
  for (const Class of [...Object.values(all), ReadableStreamDefaultController, WritableStreamDefaultController]) {
    Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
  }
  return all;
})
