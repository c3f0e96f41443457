package k6streams_test

import (
	"testing"

	"github.com/jsload/jsload/modules/k6streams"
	"github.com/jsload/jsload/modules/moduletest"
)

// run runs the bodies of async functions that log lines, and compares those.
func run(t *testing.T, cases []struct{ name, body, want string }) {
	b := moduletest.New(t, k6streams.New(), moduletest.Config{})
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := b.Text(`const log = []; const say = (...a) => log.push(a.map(String).join(' '));
				const tell = (p, n) => p.then((v) => say(n, 'ok', v), (e) => say(n, 'failed', e));
				const turn = async (n = 10) => { for (; n > 0; n--) await undefined; };
				return (async () => { ` + c.body + ` ; return log.join('; '); })()`)
			if got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.body, got, c.want)
			}
		})
	}
}

func TestReadable(t *testing.T) {
	run(t, []struct{ name, body, want string }{
		{"chunks in order", `const s = new m.ReadableStream({ start(c) { c.enqueue('a'); c.enqueue('b'); c.close(); } });
			const r = s.getReader(); say(s.locked);
			for (;;) { const { done, value } = await r.read(); say(done, value); if (done) break; } await r.closed; say('closed')`,
			"true; false a; false b; true undefined; closed"},
		{"pull up to the high water mark", `let n = 0; const s = new m.ReadableStream({ pull(c) { say('pull', c.desiredSize); c.enqueue(++n); } }, { highWaterMark: 2 });
			await turn(); say('full'); const r = s.getReader(); say((await r.read()).value); await turn(); say(n)`,
			"pull 2; pull 1; full; pull 1; 1; 3"},
		{"no pull without a reader at mark 0", `const s = new m.ReadableStream({ pull(c) { say('pull'); c.enqueue('x'); } }, new m.CountQueuingStrategy({ highWaterMark: 0 }));
			await turn(); say('idle'); say((await s.getReader().read()).value)`, "idle; pull; x"},
		{"asynchronous pull is not called twice at once", `let running = 0, most = 0, n = 0;
			const s = new m.ReadableStream({ async pull(c) { most = Math.max(most, ++running); await turn(3); running--; c.enqueue(n++); } });
			const r = s.getReader(); say((await Promise.all([r.read(), r.read(), r.read()])).map((x) => x.value)); say(most)`, "0,1,2; 1"},
		{"start is awaited", `let open; const s = new m.ReadableStream({ start() { return new Promise((f) => { open = f; }); }, pull(c) { say('pull'); c.close(); } });
			await turn(); say('waiting'); open(); say((await s.getReader().read()).done)`, "waiting; pull; true"},
		{"error of start", `const s = new m.ReadableStream({ async start() { throw 'no'; } }); const r = s.getReader(); tell(r.read(), 'read'); tell(r.closed, 'closed'); await turn(20)`, "closed failed no; read failed no"},
		{"start that throws", `try { new m.ReadableStream({ start() { throw 'at once'; } }); } catch (e) { say(e); }`, "at once"},
		{"error of pull", `const r = new m.ReadableStream({ pull() { throw 'bad'; } }).getReader(); await turn(); tell(r.read(), 'read'); await turn()`, "read failed bad"},
		{"error drops the queue", `let c; const r = new m.ReadableStream({ start(x) { c = x; c.enqueue(1); } }).getReader(); c.error('e'); tell(r.read(), 'read'); await turn(); say(c.desiredSize)`, "read failed e; null"},
		{"cancel", `const s = new m.ReadableStream({ start(c) { c.enqueue(1); }, cancel(r) { say('cancel', r); return 5; } });
			tell(s.cancel('why'), 'cancelled'); await turn(); say((await s.getReader().read()).done)`, "cancel why; cancelled ok undefined; true"},
		{"cancel of a locked stream", `const s = new m.ReadableStream(); const r = s.getReader(); await tell(s.cancel(), 's'); await tell(r.cancel(), 'r')`,
			"s failed TypeError: cannot cancel a stream that is locked to a reader; r ok undefined"},
		{"close lets the queue run out", `let c; const r = new m.ReadableStream({ start(x) { c = x; c.enqueue(1); c.close(); } }).getReader(); try { c.enqueue(2); } catch (e) { say(e.name); }
			say((await r.read()).value, (await r.read()).done, c.desiredSize)`, "TypeError; 1 true 0"},
		{"release", `const s = new m.ReadableStream(); const r = s.getReader(); tell(r.read(), 'read'); r.releaseLock(); say(s.locked); await turn(); tell(r.read(), 'again'); tell(r.closed, 'closed'); await turn(); s.getReader(); say(s.locked)`,
			"false; read failed TypeError: the reader was released; again failed TypeError: the reader was released; closed failed TypeError: the reader was released; true"},
		{"one reader", `const s = new m.ReadableStream(); s.getReader(); try { new m.ReadableStreamDefaultReader(s); } catch (e) { say(e.name); }`, "TypeError"},
		{"sizes", `let c; const s = new m.ReadableStream({ start(x) { c = x; } }, { highWaterMark: 10, size: (x) => x.length }); c.enqueue('abc'); say(c.desiredSize);
			const bad = new m.ReadableStream({ start(x) { c = x; } }, { size: () => NaN }); try { c.enqueue(1); } catch (e) { say(e.name); } await tell(bad.getReader().read(), 'read')`,
			"7; RangeError; read failed RangeError: the size of a chunk must be a finite number that is not negative"},
		{"iteration", `const s = new m.ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } }); const it = s.values(); say((await it.next()).value, (await it.next()).value, (await it.next()).done, s.locked)`, "1 2 true false"},
		{"arguments", `for (const f of [() => new m.ReadableStream(1), () => new m.ReadableStream({ pull: 1 }), () => new m.ReadableStream({ type: 'bytes' }), () => new m.ReadableStream({}, { highWaterMark: -1 }), () => new m.ReadableStream().getReader({ mode: 'byob' }), () => m.ReadableStream(), () => m.ReadableStream.prototype.locked, () => new m.CountQueuingStrategy()]) { try { f(); say('nothing'); } catch (e) { say(e.name); } }`,
			"TypeError; TypeError; RangeError; RangeError; TypeError; TypeError; TypeError; TypeError"},
		{"surface", `say(Object.prototype.toString.call(new m.ReadableStream())); const q = new m.CountQueuingStrategy({ highWaterMark: 3 }); say(q.highWaterMark, q.size(9))`, "[object ReadableStream]; 3 1"},
	})
}

func TestWritable(t *testing.T) {
	run(t, []struct{ name, body, want string }{
		{"order", `const w = new m.WritableStream({ start() { say('start'); }, write(c) { say('write', c); }, close() { say('close'); } }); const r = w.getWriter();
			await r.write(1); await r.write(2); await r.close(); await r.closed; say(w.locked, r.desiredSize)`, "start; write 1; write 2; close; true 0"},
		{"one write at a time", `let running = 0, most = 0; const w = new m.WritableStream({ async write(c) { most = Math.max(most, ++running); await turn(3); running--; say(c); } }); const r = w.getWriter();
			r.write(1); r.write(2); await r.write(3); say(most)`, "1; 2; 3; 1"},
		{"backpressure", `let go; const w = new m.WritableStream({ write() { return new Promise((f) => { go = f; }); } }, { highWaterMark: 2 }); const r = w.getWriter(); say(r.desiredSize); await r.ready;
			r.write(1); say(r.desiredSize); r.write(2); say(r.desiredSize); tell(r.ready, 'ready'); await turn(); say('full'); go(); await turn(); say(r.desiredSize)`, "2; 1; 0; full; ready ok undefined; 1"},
		{"error of write", `const w = new m.WritableStream({ write() { throw 'bad'; }, close() { say('close'); }, abort() { say('abort'); } }); const r = w.getWriter();
			tell(r.write(1), '1'); tell(r.write(2), '2'); tell(r.closed, 'closed'); await turn(20); tell(r.write(3), '3'); tell(r.ready, 'ready'); await turn(); say(r.desiredSize)`,
			"1 failed bad; 2 failed bad; closed failed bad; 3 failed bad; ready failed bad; null"},
		{"abort", `const w = new m.WritableStream({ write() { return turn(3); }, abort(r) { say('abort', r); } }); const r = w.getWriter(); tell(r.write(1), '1'); tell(r.write(2), '2'); await turn(2);
			tell(r.abort('why'), 'aborted'); tell(r.closed, 'closed'); await turn(30)`, "abort why; 1 ok undefined; 2 failed why; aborted ok undefined; closed failed why"},
		{"abort without a writer", `const w = new m.WritableStream({ abort(r) { say('abort', r); throw 'worse'; } }); await tell(w.abort('x'), 'a'); await tell(w.getWriter().closed, 'closed')`, "abort x; a failed worse; closed failed x"},
		{"error of the controller", `let c; const w = new m.WritableStream({ start(x) { c = x; } }); const r = w.getWriter(); await turn(); c.error('e'); await tell(r.closed, 'closed'); await tell(r.write(1), 'w')`, "closed failed e; w failed e"},
		{"error of start", `const w = new m.WritableStream({ async start() { throw 'no'; }, write() { say('write'); } }); const r = w.getWriter(); await tell(r.write(1), 'w'); await tell(r.close(), 'c')`,
			"w failed no; c failed TypeError: cannot close a stream that is errored"},
		{"error of close", `const w = new m.WritableStream({ close() { throw 'no'; } }); const r = w.getWriter(); tell(r.close(), 'c'); tell(r.closed, 'closed'); await turn(20)`, "c failed no; closed failed no"},
		{"close waits for writes", `const w = new m.WritableStream({ async write(c) { await turn(3); say(c); }, close() { say('close'); } }); const r = w.getWriter(); r.write(1); r.write(2); tell(r.close(), 'closed'); tell(r.write(3), '3'); tell(r.close(), 'again'); await turn(40)`,
			"3 failed TypeError: cannot write to a stream that is closing or closed; again failed TypeError: the stream is closing already; 1; 2; close; closed ok undefined"},
		{"locked", `const w = new m.WritableStream(); const r = w.getWriter(); await tell(w.close(), 'c'); await tell(w.abort(), 'a'); try { w.getWriter(); } catch (e) { say(e.name); } r.releaseLock(); say(w.locked); await tell(r.write(1), 'w'); await tell(w.close(), 'c'); try { r.desiredSize; } catch (e) { say(e.name); }`,
			"c failed TypeError: cannot close a stream that is locked to a writer; a failed TypeError: cannot abort a stream that is locked to a writer; TypeError; false; w failed TypeError: the writer was released; c ok undefined; TypeError"},
		{"a size that throws", `const w = new m.WritableStream({}, { size() { throw 'size'; } }); const r = w.getWriter(); await turn(); await tell(r.write(1), 'w'); await tell(r.closed, 'closed')`, "w failed size; closed failed size"},
		{"arguments", `for (const f of [() => new m.WritableStream(1), () => new m.WritableStream({ write: 1 }), () => new m.WritableStream({ type: 'x' }), () => new m.WritableStreamDefaultWriter({})]) { try { f(); say('nothing'); } catch (e) { say(e.name); } }`, "TypeError; TypeError; RangeError; TypeError"},
	})
}

// All classes are of one run of the library, and it is compiled once.
func TestTwoVirtualUsers(t *testing.T) {
	m := k6streams.New()
	for range 2 {
		b := moduletest.New(t, m, moduletest.Config{})
		b.Want(`return new m.ReadableStream().getReader() instanceof m.ReadableStreamDefaultReader`, "true")
		b.Want(`return Object.keys(m).sort().join()`, "CountQueuingStrategy,ReadableStream,ReadableStreamDefaultReader,WritableStream,WritableStreamDefaultWriter")
	}
}
