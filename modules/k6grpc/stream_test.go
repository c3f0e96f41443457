package k6grpc

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/modules/moduletest"
)

// watch is the beginning of snippets: it opens a stream whose events are logged,
// and run returns what was logged once the stream has ended.
const watch = `
const open = (method, params) => {
	const s = new m.Stream(c, "test.Test/" + method, params), log = [];
	s.log = log;
	s.on("data", (d, meta) => { log.push("data" + d.n); if (typeof meta.ts !== "number") log.push("no time") });
	s.on("error", (e) => log.push("error " + String(e.code) + " " + (e.code === m.StatusAborted) + " " + e.message));
	s.on("status", (st) => log.push("status " + String(st.code)));
	s.done = new Promise((resolve) => s.on("end", () => { log.push("end"); resolve(log.join()) }));
	return s;
};
`

func TestStreams(t *testing.T) {
	b, _ := connected(t, moduletest.Config{})
	tests := []struct{ name, script, want string }{
		{"server", `const s = open("Count"); s.write({n: 3}); return s.done`, "data0,data1,data2,status OK,end"},
		{"server that fails", `const s = open("Count"); s.write({n: 1, some_text: "enough"}); return s.done`, "data0,error Aborted true enough,status Aborted,end"},
		{"client", `const s = open("Sum"); [1, 2, 3].forEach((n) => s.write({n})); s.end(); return s.done`, "data6,status OK,end"},
		{"both", `const s = open("Chat"); s.on("data", (d) => d.n < 3 ? s.write({n: d.n + 1}) : s.end()); s.write({n: 1}); return s.done`, "data1,data2,data3,status OK,end"},
		{"unary", `const s = open("Echo"); s.write({big: 1}); return s.done`, "data0,status OK,end"},
		{"many messages", `const s = open("Count"); s.write({n: 500}); return s.done.then((l) => l.split(",").length)`, "502"},
		{"messages without a listener", `const s = new m.Stream(c, "test.Test/Count"); s.write({n: 500}); return new Promise((r) => s.on("end", r)).then(() => "ended")`, "ended"},
		{"discarded messages", `const s = new m.Stream(c, "test.Test/Count", {discardResponseMessage: true}); s.write({n: 1}); return new Promise((r) => s.on("data", r)).then((d) => d)`, "null"},
		{"end twice", `const s = open("Sum"); s.end(); s.end(); return s.done`, "data0,status OK,end"},
		{"write after the end", `const s = open("Sum"); s.write({n: 1}); s.end(); s.write({n: 9}); return s.done`, "data1,status OK,end"},
		{"second message of a method that takes one", `const s = open("Count"); s.write({n: 1}); s.write({n: 5}); s.end(); return s.done`, "data0,status OK,end"},
		{"unknown events", `const s = open("Sum"); s.on("nonsense", () => {}); s.end(); return s.done`, "data0,status OK,end"},
		{"timeout", `const s = open("Deaf", {timeout: "50ms"}); return s.done.then((l) => l.slice(0, 22))`, "error DeadlineExceeded"},
		{"the connection is closed", `const s = open("Deaf"); c.close(); return s.done.then((l) => [l.slice(0, 14), String(c.connect(addr, {plaintext: true}))])`, "error Canceled,true"},
		{"metadata", `const s = open("Chat", {metadata: {"x-a": "1"}}); s.end(); return s.done`, "status OK,end"},
		{"a message that cannot be sent", `const s = open("Chat"); try { s.write({nope: 1}) } catch (e) { s.end(); return s.done.then((l) => e.name + "," + l) }`, "GoError,status OK,end"},
		{"no message", `const s = open("Chat"); try { s.write(null) } catch (e) { s.end(); return s.done.then((l) => e.name + "," + l) }`, "GoError,status OK,end"},
		{"no listener", `const s = open("Chat"); try { s.on("data") } catch (e) { s.end(); return s.done.then((l) => e.name + "," + l) }`, "GoError,status OK,end"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { b.Want(watch+test.script, test.want) })
	}
	if log := b.Log(); strings.Count(log, "takes no more") != 2 {
		t.Errorf("log %q", log)
	}
}

func TestSendLimitEndsTheStream(t *testing.T) {
	s := serve(t)
	b := bench(t, New(), s, moduletest.Config{})
	b.Want(`c.connect(addr, {plaintext: true, maxSendSize: 100});`+watch+`const s = open("Chat"); s.write({data: "A".repeat(1000)}); return s.done.then((l) => l.slice(0, 23))`, "error ResourceExhausted")
}

func TestStreamSamples(t *testing.T) {
	b, s := connected(t, moduletest.Config{Tap: true})
	b.Samples()
	b.Text(watch + `const s = open("Chat", {tags: {a: "b"}}); s.write({n: 1}); s.write({n: 2}); s.end(); return s.done`)
	count := map[string]int{}
	built := b.Host.Run.Builtin
	for _, line := range b.Samples(built.GRPCStreams, built.GRPCStreamsMsgsSent, built.GRPCStreamsMsgsReceived, built.GRPCReqDuration) {
		name, rest, _ := strings.Cut(line, " ")
		_, tags, _ := strings.Cut(rest, " ")
		count[name]++
		want := "a=b,group=,method=Chat,name=/test.Test/Chat,scenario=default,service=test.Test,url=" + s.addr + "/test.Test/Chat"
		if name == "grpc_req_duration" {
			want = strings.Replace(want, ",url=", ",status=0,url=", 1)
		}
		if tags != want {
			t.Errorf("%s has the tags\n%s, want\n%s", name, tags, want)
		}
	}
	if count["grpc_streams"] != 1 || count["grpc_streams_msgs_sent"] != 2 || count["grpc_streams_msgs_received"] != 2 || count["grpc_req_duration"] != 1 {
		t.Errorf("got %v", count)
	}
}

// TestCutStreamCountsWhatItSent stops an iteration whose stream is open.
func TestCutStreamCountsWhatItSent(t *testing.T) {
	b, s := connected(t, moduletest.Config{Tap: true})
	b.Throws(watch+`const s = open("Chat"); s.write({n: 1}); s.on("data", () => { throw new Error("seen") })`, "seen")
	built := b.Host.Run.Builtin
	if got := b.Samples(built.GRPCStreamsMsgsSent, built.GRPCReqDuration); len(got) != 1 {
		t.Errorf("got %q", got)
	}
	b.Want(`return c.invoke("test.Test/Echo", {}).status`, "OK")
	_ = s
}
