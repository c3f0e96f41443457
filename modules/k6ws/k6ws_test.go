package k6ws

import (
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/modules/internal/wsession/wstest"
	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu/options"
)

// record is a session that writes down all its events in seen.
const record = `
	const seen = [];
	const note = (s) => {
		s.on('open', () => seen.push('open'));
		s.on('message', (d) => seen.push('message ' + d));
		s.on('binaryMessage', (d) => seen.push('binary ' + new Uint8Array(d).join()));
		s.on('ping', () => seen.push('ping'));
		s.on('pong', () => seen.push('pong'));
		s.on('error', (e) => seen.push('error ' + e.error()));
		s.on('close', (c) => seen.push('close ' + c));
	};
	const session = (path, more) => m.connect(url + path, (s) => { note(s); if (more) more(s); });
`

func bench(t *testing.T, cfg moduletest.Config) *moduletest.Bench {
	url := wstest.Start(t)
	b := moduletest.New(t, New(), cfg)
	_ = b.Host.Runtime.Set("url", url)
	t.Cleanup(func() { wstest.NothingLeft(t) })
	return b
}

func TestSessions(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"echo", `session('/echo', (s) => { s.on('open', () => s.send('a')); s.on('message', () => s.close()); })`, "open message a close 1001"},
		{"sent before open", `session('/echo', (s) => { s.send('early'); s.on('message', () => s.close(3000)); })`, "open message early close 3000"},
		{"binary", `session('/echo', (s) => { s.on('open', () => s.sendBinary(new Uint8Array([7, 8]))); s.on('binaryMessage', () => s.close(1000)); })`, "open binary 7,8 close 1000"},
		{"ping", `session('/echo', (s) => { s.on('open', () => s.ping()); s.on('pong', () => s.close()); })`, "open pong close 1001"},
		{"ping of the server", `session('/ping', (s) => s.on('ping', () => s.close()))`, "open ping close 1001"},
		{"code of the server", `session('/code')`, "open error websocket: close 4001: bye close 4001"},
		{"broken connection", `session('/drop')`, "open error websocket: close 1006 (abnormal closure): unexpected EOF close 1006"},
		{"no answer to close", `session('/silent', (s) => s.on('open', () => s.close()))`, "open close 1001"},
		{"sent too late", `session('/echo', (s) => s.on('open', () => { s.close(); s.send('late'); }))`, "open close 1001 error websocket: the connection is closing or closed"},
		{"timers", `session('/echo', (s) => { let n = 0; s.setInterval(() => { seen.push('tick'); if (++n === 3) s.close(); }, 1); s.setTimeout(() => seen.push('once'), 1); })`, "open tick once tick tick close 1001"},
		{"deflate", `m.connect(url + '/echo', { compression: 'deflate' }, (s) => { note(s); s.on('open', () => s.send('x'.repeat(5))); s.on('message', () => s.close()); })`, "open message xxxxx close 1001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := bench(t, moduletest.Config{})
			b.Want(record+"const r = "+tt.script+"; return r.status + ' ' + seen.join(' ')", "101 "+tt.want)
		})
	}
}

func TestResponse(t *testing.T) {
	b := bench(t, moduletest.Config{})
	b.Want(`const r = m.connect(url + '/echo', {}, (s) => s.on('open', () => s.close())); return [r.url === url + '/echo', r.status, r.headers['Set-Cookie'], r.body, r.error].join()`, "true,101,set=1,,")
	b.Want(`const r = m.connect(url + '/refuse', {}, () => {}); return [r.url, r.status, r.body.trim(), r.error].join()`, ",403,no,websocket: bad handshake")
	b.Want(`const r = m.connect('ws://127.0.0.1:1/', {}, () => {}); return [r.url, r.status, Object.keys(r.headers).length, /connection refused/.test(r.error)].join()`, ",0,0,true")
	if log := b.Log(); strings.Count(log, "WebSocket connection failed") != 2 {
		t.Errorf("log %s", log)
	}
}

func TestErrors(t *testing.T) {
	b := bench(t, moduletest.Config{})
	b.Throws(`m.connect(url + '/echo')`, "must be a function")
	b.Throws(`m.connect(url + '/echo', { compression: '' }, () => {})`, "unsupported compression")
	b.Throws(`m.connect(url + '/echo', { compression: null }, () => {})`, "unsupported compression")
	b.Throws(`m.connect(url + '/echo', { jar: {} }, () => {})`, "no CookieJar")
	b.Throws(`m.connect(url + '/echo', { tags: { a: {} } }, () => {})`, "only String, Boolean and Number")
	b.Throws(`m.connect(url + '/echo', {}, () => { throw new Error('in callback') })`, "in callback")
	for _, event := range []string{"open", "close"} {
		b.Throws(`m.connect(url + '/echo', {}, (s) => { s.on('open', () => s.close()); s.on('`+event+`', () => { throw new Error('in handler') }) })`, "in handler")
	}
	b.Throws(`m.connect(url + '/echo', {}, (s) => s.on('open', 1))`, "not a function")
	b.Throws(`m.connect(url + '/echo', {}, (s) => s.send())`, "needs a string")
	b.Throws(`m.connect(url + '/echo', {}, (s) => s.sendBinary('x'))`, "needs an ArrayBuffer")
	b.Throws(`m.connect(url + '/echo', {}, (s) => s.setTimeout(() => {}, 0))`, "above 0")
	b.Throws(`m.connect(url + '/echo', {}, (s) => s.close(5000))`, "from 1000 to 4999")
	init := moduletest.New(t, New(), moduletest.Config{Init: true})
	init.Throws(`m.connect('ws://h/', () => {})`, "init context")
}

func TestThrowOption(t *testing.T) {
	o := &options.Options{}
	o.Throw.V, o.Throw.Set = true, true
	b := bench(t, moduletest.Config{Options: o})
	b.Throws(`m.connect(url + '/refuse', {}, () => {})`, "bad handshake")
}

func TestHandshakeParams(t *testing.T) {
	b := bench(t, moduletest.Config{})
	b.Want(record+`
		session('/head', (s) => s.on('message', () => s.close()));
		m.connect(url + '/head', { headers: { 'x-own': 'v' } }, (s) => { note(s); s.on('message', () => s.close()) });
		m.connect(url + '/head', { headers: { Cookie: 'mine=2' } }, (s) => { note(s); s.on('message', () => s.close()) });
		return seen.filter((e) => /message/.test(e)).join()`, "message |,message set=1|v,message mine=2|")
}

func TestMetrics(t *testing.T) {
	b := bench(t, moduletest.Config{Tap: true})
	b.Text(`m.connect(url + '/echo', { tags: { t: 'x' } }, (s) => { s.on('open', () => { s.send('a'); s.ping(); }); let n = 0; const both = () => { if (++n === 2) s.close(); }; s.on('message', both); s.on('pong', both); })`)
	count := map[string]int{}
	for _, line := range b.Samples() {
		name, _, _ := strings.Cut(line, " ")
		count[name]++
		if !strings.Contains(line, "status") || !strings.Contains(line, "subproto") || strings.Contains(line, "name") {
			t.Errorf("tags of %s", line)
		}
	}
	for _, name := range []string{"ws_sessions", "ws_connecting", "ws_msgs_sent", "ws_msgs_received", "ws_ping", "ws_session_duration"} {
		if count[name] != 1 {
			t.Errorf("%d samples of %s", count[name], name)
		}
	}
	b.Text(`m.connect(url + '/echo', { tags: { name: 'n' } }, (s) => s.on('open', () => s.close()))`)
	for _, line := range b.Samples(b.Host.Run.Builtin.WSSessions) {
		if !strings.Contains(line, "url") || strings.Contains(line, "127.0.0.1") {
			t.Errorf("tags of %s", line)
		}
	}
}

// TestManySent sends far more than is kept waiting to a server that answers each
// message, which it can only do if the answers are taken.
func TestManySent(t *testing.T) {
	b := bench(t, moduletest.Config{})
	b.Want(`let n = 0; const big = 'x'.repeat(100000);
		m.connect(url + '/echo', {}, (s) => { s.on('open', () => { for (let i = 0; i < 300; i++) s.send(big); }); s.on('message', () => { if (++n === 300) s.close(); }); s.on('error', (e) => { throw new Error(e.error()); }); });
		return n`, "300")
}

// TestInterruption ends the activation while connect waits, and while it sends to
// a server that has stopped reading.
func TestInterruption(t *testing.T) {
	for _, script := range []string{
		`m.connect(url + '/echo', {}, () => {})`,
		`m.connect(url + '/silent', {}, (s) => { s.on('open', () => s.close()); })`,
		`m.connect(url + '/deaf', {}, (s) => { s.on('open', () => { for (;;) s.send('x'.repeat(1000000)); }); })`,
	} {
		b := bench(t, moduletest.Config{})
		timer := time.AfterFunc(100*time.Millisecond, func() {
			b.Cancel()
			b.Host.Runtime.Interrupt("stop")
		})
		_, _ = b.Eval(script)
		timer.Stop()
		wstest.NothingLeft(t)
	}
}
