package k6websockets

import (
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/modules/internal/wsession/wstest"
	"github.com/jsload/jsload/modules/moduletest"
)

// listen makes sockets that write down all their events in seen; the promise
// settles with the close event.
const listen = `
	const seen = [];
	const session = (path, more, ...rest) => new Promise((done) => {
		const w = new m.WebSocket(url + path, ...rest);
		w.onopen = () => seen.push('open');
		w.onmessage = (e) => seen.push('message ' + e.data);
		w.addEventListener('ping', () => seen.push('ping'));
		w.addEventListener('pong', () => seen.push('pong'));
		w.onerror = (e) => seen.push('error ' + e.error);
		w.onclose = (e) => { seen.push('close ' + e.code + ' ' + e.reason); done(w); };
		if (more) more(w);
	});
`

func bench(t *testing.T, cfg moduletest.Config) *moduletest.Bench {
	url := wstest.Start(t)
	b := moduletest.New(t, New(), cfg)
	_ = b.Host.Runtime.Set("url", url)
	_ = b.Host.Runtime.Set("setTimeout", b.Host.Loop.SetTimeout)
	t.Cleanup(func() { wstest.NothingLeft(t) })
	return b
}

func TestSockets(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"echo", `session('/echo', (w) => { w.addEventListener('open', () => w.send('a')); w.addEventListener('message', () => w.close()); })`, "open|message a|close 1000 "},
		{"code and reason", `session('/echo', (w) => w.addEventListener('open', () => w.close(3001, 'why')))`, "open|error websocket: close 3001|close 3001 "},
		{"ping", `session('/echo', (w) => { w.addEventListener('open', () => w.ping()); w.addEventListener('pong', () => w.close()); })`, "open|pong|close 1000 "},
		{"ping of the server", `session('/ping', (w) => w.addEventListener('ping', () => w.close()))`, "open|ping|close 1000 "},
		{"code of the server", `session('/code')`, "open|error websocket: close 4001: bye|close 4001 bye"},
		{"broken connection", `session('/drop')`, "open|error websocket: close 1006 (abnormal closure): unexpected EOF|close 1006 unexpected EOF"},
		{"refused", `session('/refuse')`, "error websocket: bad handshake|close undefined "},
		{"closed while connecting", `session('/echo', (w) => w.close())`, "error the WebSocket was closed before it was open: context canceled|close undefined "},
		{"messages after close", `session('/echo', (w) => { w.addEventListener('open', () => { w.send('a'); w.close(); }); })`, "open|close 1000 "},
		{"handlers replaced and removed", `session('/echo', (w) => { w.onmessage = null; w.onopen = () => { w.onopen = () => seen.push('never'); w.send('a'); w.close(); }; })`, "close 1000 "},
		{"deflate", `session('/echo', (w) => { w.addEventListener('open', () => w.send('x'.repeat(5))); w.addEventListener('message', () => { seen.push(w.extensions.split(';')[0]); w.close(); }); }, null, { compression: 'deflate' })`, "open|message xxxxx|permessage-deflate|close 1000 "},
		{"subprotocol", `session('/echo', (w) => w.addEventListener('open', () => { seen.push(w.protocol); w.close(); }), ['one', 'two'])`, "open|two|close 1000 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := bench(t, moduletest.Config{})
			b.Want(listen+"return "+tt.script+".then((w) => seen.join('|') + '/' + w.readyState)", tt.want+"/3")
		})
	}
}

func TestBinary(t *testing.T) {
	b := bench(t, moduletest.Config{})
	b.Want(`return new Promise((done) => {
		const w = new m.WebSocket(url + '/binary');
		let first;
		w.onmessage = async (e) => {
			if (!first) {
				first = [e.data instanceof m.Blob, e.data.size, e.data.type, await e.data.text() === '\u0001\u0002\u0003', (await e.data.bytes()).join('-')];
				w.binaryType = 'arraybuffer';
				w.send(e.data.slice(1));
				return;
			}
			done(first.join() + ' ' + (e.data instanceof ArrayBuffer) + ' ' + new Uint8Array(e.data).join());
			w.close();
		};
	})`, "true,3,,true,1-2-3 true 2,3")
}

func TestBlob(t *testing.T) {
	b := bench(t, moduletest.Config{})
	for snippet, want := range map[string]string{
		`new m.Blob(['ab', new Uint8Array([99]), new m.Blob(['d']), 5], { type: 'text/x' }).text()`: "abcd5",
		`new m.Blob([], { type: 'text/x' }).type`:                                                   "text/x",
		`new m.Blob().size`: "0",
		`new m.Blob(['0123456789']).slice(2, -3).text()`:          "23456",
		`new m.Blob(['0123456789']).slice(-3).text()`:             "789",
		`new m.Blob(['0123456789']).slice(7, 3).size`:             "0",
		`new m.Blob(['é']).arrayBuffer().then(b => b.byteLength)`: "2",
		`new m.Blob(['a']) instanceof m.Blob`:                     "true",
	} {
		b.Want("return "+snippet, want)
	}
	b.Throws(`new m.Blob('text')`, "must be an array")
	b.Throws(`m.Blob.prototype.text.call({})`, "no Blob")
	b.Throws(`'use strict'; new m.Blob([]).size = 1`, "TypeError")
}

func TestClass(t *testing.T) {
	b := bench(t, moduletest.Config{})
	with := func(expression string) string {
		return "const w = new m.WebSocket(url + '/echo'); w.onopen = () => w.close(); return " + expression
	}
	for expression, want := range map[string]string{
		`[m.WebSocket.name, m.WebSocket.CONNECTING, m.WebSocket.OPEN, m.WebSocket.CLOSING, m.WebSocket.CLOSED].join()`:       "WebSocket,0,1,2,3",
		`[w.readyState, w.CLOSED, w.url === url + '/echo', w.protocol, w.extensions, w.bufferedAmount, w.binaryType].join()`: "0,3,true,,,0,blob",
		`w instanceof m.WebSocket && w.constructor === m.WebSocket && w.send === m.WebSocket.prototype.send`:                 "true",
		`typeof w.onopen + w.onmessage`:                                                                "functionnull",
		`(w.mine = 1, Object.keys(w).join())`:                                                          "mine",
		`(() => { 'use strict'; try { w.url = 'x'; } catch (e) { return e.name; } })()`:                "TypeError",
		`(() => { try { w.send('x'); } catch (e) { return e.name + ' ' + (e instanceof Error); } })()`: "InvalidStateError true",
		`(() => { try { w.ping(); } catch (e) { return e.name; } })()`:                                 "InvalidStateError",
		`new (class extends m.WebSocket { two() { return 2 } })(url + '/refuse').two()`:                "2",
	} {
		b.Want(with(expression), want)
	}
	b.Throws(with(`w.binaryType = 'text'`), "invalid binaryType")
	b.Throws(with(`w.addEventListener('nothing', () => {})`), "no event")
	b.Throws(with(`w.addEventListener('open', 1)`), "not a function")
	b.Throws(`m.WebSocket.prototype.send.call({}, 'x')`, "no WebSocket")
	b.Throws(`new m.WebSocket('http://h/')`, "ws or wss")
	b.Throws(`new m.WebSocket('ws://h/', null, { compression: 'x' })`, "unsupported compression")
	init := moduletest.New(t, New(), moduletest.Config{Init: true})
	init.Throws(`new m.WebSocket('ws://h/')`, "init context")
}

func TestCloseArguments(t *testing.T) {
	b := bench(t, moduletest.Config{})
	for args, want := range map[string]string{
		`1001`: "threw", `999`: "threw", `2999`: "threw", `5000`: "threw", `1000, 'x'.repeat(124)`: "threw",
		`'x'`: "1000", `undefined, 'r'`: "1000", `4999`: "4999", `3000, 'x'.repeat(123)`: "3000",
	} {
		b.Want(`return new Promise((done) => {
			const w = new m.WebSocket(url + '/echo');
			w.onopen = () => { try { w.close(`+args+`); } catch (e) { done('threw'); w.close(); } };
			w.onclose = (e) => done(e.code);
		})`, want)
	}
}

func TestEvents(t *testing.T) {
	b := bench(t, moduletest.Config{})
	b.Want(`return new Promise((done) => {
		const w = new m.WebSocket(url + '/echo');
		w.onopen = function (e) { w.send('x'); w.first = this === w && e.target === w && e.type === 'open' && e.timestamp > 1e12; };
		w.onmessage = (e) => { done([w.first, e.type, e.data, e.origin === url, e.target === w].join()); w.close(); };
	})`, "true,message,x,true,true")
}

// TestThrow ends the iteration with sockets in every state open.
func TestThrow(t *testing.T) {
	for _, when := range []string{"w.onopen = () => { throw new Error('mine') }", "throw new Error('mine')", "w.onclose = () => { throw new Error('mine') }; w.onopen = () => w.close()"} {
		b := bench(t, moduletest.Config{})
		b.Throws(`for (let i = 0; i < 5; i++) new m.WebSocket(url + '/silent'); const w = new m.WebSocket(url + '/echo'); `+when, "mine")
		wstest.NothingLeft(t)
		b.Want(listen+`return session('/echo', (w) => w.addEventListener('open', () => w.close())).then(() => seen.join())`, "open,close 1000 ")
	}
}

func TestInterruption(t *testing.T) {
	for _, script := range []string{
		`new m.WebSocket(url + '/echo')`,
		`const w = new m.WebSocket(url + '/silent'); w.onopen = () => w.close()`,
		`const w = new m.WebSocket(url + '/deaf'); w.onopen = () => { for (let i = 0; i < 20; i++) w.send('x'.repeat(1000000)); }`,
	} {
		b := bench(t, moduletest.Config{Tap: true})
		timer := time.AfterFunc(100*time.Millisecond, b.Cancel)
		if _, err := b.Eval(script); err == nil {
			t.Errorf("%s: not interrupted", script)
		}
		timer.Stop()
		wstest.NothingLeft(t)
		if lines := b.Samples(b.Host.Run.Builtin.WSSessionDuration); len(lines) != 1 {
			t.Errorf("%s: durations %v", script, lines)
		}
	}
}

// TestFull has a script send without end to a server that does not read.
func TestFull(t *testing.T) {
	b := bench(t, moduletest.Config{})
	got := b.Text(`return new Promise((done) => {
		const w = new m.WebSocket(url + '/deaf'); const big = 'x'.repeat(1000000);
		const seen = [];
		w.onopen = () => { for (let i = 0; i < 100; i++) w.send(big); seen.push(w.readyState, w.bufferedAmount > 3e7); };
		w.onerror = (e) => seen.push(e.error);
		w.onclose = (e) => { seen.push(e.code); done(seen.join()); };
	})`)
	if !strings.HasPrefix(got, "2,true,websocket: 64 MiB wait") || !strings.HasSuffix(got, ",1006") {
		t.Errorf("got %s", got)
	}
}

func TestMetrics(t *testing.T) {
	b := bench(t, moduletest.Config{Tap: true})
	b.Text(listen + `return session('/echo', (w) => { let n = 0; const both = () => { if (++n === 2) w.close(); }; w.addEventListener('open', () => { w.send('a'); w.ping(); }); w.addEventListener('message', both); w.addEventListener('pong', both); }, null, { tags: { t: 'x' } }).then(() => '')`)
	count := map[string]int{}
	for _, line := range b.Samples() {
		name, _, _ := strings.Cut(line, " ")
		count[name]++
		if !strings.Contains(line, "status") || !strings.Contains(line, "name") || !strings.Contains(line, "subproto") {
			t.Errorf("tags of %s", line)
		}
	}
	// A ping and a close count as messages.
	for name, want := range map[string]int{"ws_sessions": 1, "ws_connecting": 1, "ws_msgs_sent": 3, "ws_msgs_received": 1, "ws_ping": 1, "ws_session_duration": 1} {
		if count[name] != want {
			t.Errorf("%d samples of %s, want %d", count[name], name, want)
		}
	}
}

func TestDeprecated(t *testing.T) {
	m := NewExperimental()
	for n, want := range []int{1, 0} {
		b := moduletest.New(t, m, moduletest.Config{})
		if got := strings.Count(b.Log(), "deprecated"); got != want {
			t.Errorf("import %d: %d warnings", n, got)
		}
	}
}
