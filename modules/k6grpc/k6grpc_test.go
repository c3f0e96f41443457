package k6grpc

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/moduletest"
	vuclient "github.com/jsload/jsload/vu/client"
)

// bench is a virtual user with the global c, a client that has loaded test.proto,
// and addr.
func bench(t testing.TB, m modules.Module, s *server, cfg moduletest.Config) *moduletest.Bench {
	t.Helper()
	b := moduletest.New(t, m, cfg)
	b.Host.Files = func() modules.Files { return modules.Files{Base: "file:///", Open: testFiles} }
	stage := b.Host.Stage
	b.Host.Stage = modules.StageInit
	b.Text(`c = new m.Client(); c.load(null, "test.proto"); return ""`)
	b.Host.Stage = stage
	if s != nil {
		_ = b.Host.Runtime.Set("addr", s.addr)
	}
	return b
}

// connected is bench with the client connected.
func connected(t testing.TB, cfg moduletest.Config) (*moduletest.Bench, *server) {
	t.Helper()
	s := serve(t)
	b := bench(t, New(), s, cfg)
	b.Want(`return c.connect(addr, {plaintext: true})`, "true")
	return b, s
}

func TestConstants(t *testing.T) {
	b := bench(t, New(), nil, moduletest.Config{})
	b.Want(`return [m.StatusNotFound, m.StatusNotFound == 5, m.StatusNotFound === m.StatusNotFound, m.StatusOK === m.StatusNotFound, JSON.stringify(m.StatusOK)]`, "NotFound,true,true,false,0")
	b.Want(`return [m.HealthCheckServing, m.HealthCheckServing == 1, m.HealthCheckServiceUnkown]`, "SERVING,true,SERVICE_UNKNOWN")
	b.Want(`return Object.keys(m).length`, "23")
}

func TestInvoke(t *testing.T) {
	b, _ := connected(t, moduletest.Config{})
	tests := []struct{ script, want string }{
		{`const r = c.invoke("test.Test/Echo", {some_text: "hi", big: 5}); return [r.status === m.StatusOK, r.status, r.message.someText, typeof r.message.big, r.message.n, r.error]`, "true,OK,hi,string,0,"},
		{`return c.invoke("/test.Test/Echo", {d: NaN}).message.d`, "NaN"},
		{`const r = c.invoke("test.Test/Fail", {n: 5, some_text: "lost"}); return [r.status === m.StatusNotFound, JSON.stringify(r.error), r.message.someText === ""]`, `true,{"code":5,"message":"lost","details":[]},true`},
		{`const r = c.invoke("test.Test/Fail", {n: 99}); return [r.status, r.error.code]`, "Code(99),99"},
		{`const r = c.invoke("test.Test/Echo", {some_text: "x"}, {discardResponseMessage: true}); return [r.status, r.message]`, "OK,"},
		{`const r = c.invoke("test.Test/Meta", {}, {metadata: {"X-One": "1", "x-n": 2, "x-b-bin": new Uint8Array([65, 66])}}); const s = r.message.seen;
		  return [s["x-one"], s["x-n"], s["x-b-bin"], r.headers["x-head"].length, r.headers["x-bytes-bin"][0].charCodeAt(1), r.trailers["x-tail"]]`, "1,2,AB,2,255,end"},
		{`return [{}, {timeout: "10s"}, {timeout: 5000}, {timeout: "2m"}].map((p) => c.invoke("test.Test/Left", {}, p).message.n)`, "120,10,5,120"},
		{`return [c.healthCheck().status, c.healthCheck("").status === m.HealthCheckServing, c.healthCheck("down").status]`, "SERVING,true,NOT_SERVING"},
		{`const k = new (class extends m.Client { ping() { return this.invoke("test.Test/Echo", {}).status } })(); return [k instanceof m.Client, typeof k.ping]`, "true,function"},
	}
	for _, test := range tests {
		b.Want(test.script, test.want)
	}
}

func TestWrongUse(t *testing.T) {
	b, _ := connected(t, moduletest.Config{})
	tests := []struct{ script, want string }{
		{`c.invoke("test.Test/Echo")`, "cannot be null or undefined"},
		{`c.invoke("test.Test/Echo", null)`, "cannot be null or undefined"},
		{`c.invoke("test.Test/Echo", "text")`, "an object is needed"},
		{`c.invoke("test.Test/Echo", {nope: 1})`, `no field "nope"`},
		{`c.invoke("test.Test/Nope", {})`, `"test.Test/Nope" is not known`},
		{`c.invoke("", {})`, "is not known"},
		{`c.invoke(undefined, {})`, "invalid method"},
		{`c.invoke("test.Test/Echo", {}, {nope: 1})`, `unknown param "nope"`},
		{`c.invoke("test.Test/Echo", {}, {timeout: null})`, "invalid timeout"},
		{`c.invoke("test.Test/Echo", {}, {timeout: "soon"})`, "invalid timeout"},
		{`c.invoke("test.Test/Echo", {}, {timeout: NaN})`, "invalid timeout"},
		{`c.invoke("test.Test/Echo", {}, {tags: {a: {}}})`, "only String"},
		{`c.invoke("test.Test/Echo", {}, {metadata: 5})`, "invalid metadata"},
		{`c.invoke("test.Test/Echo", {}, {metadata: {a: {}}})`, "invalid metadata"},
		{`c.invoke("test.Test/Echo", {}, {metadata: {"a-bin": "text"}})`, "must be a Uint8Array"},
		{`c.invoke("test.Test/Echo", {}, {discardResponseMessage: 1})`, "no boolean"},
		{`new m.Client().invoke("test.Test/Echo", {})`, "no gRPC connection"},
		{`new m.Client().healthCheck()`, "no gRPC connection"},
		{`c.healthCheck("nope")`, "NotFound"},
		{`c.load([], "test.proto")`, "init"},
		{`c.loadProtoset("test.protoset")`, "init"},
		{`new m.Client().connect()`, "invalid address"},
		{`new m.Client().connect(addr, {nope: 1})`, `unknown param "nope"`},
		{`new m.Client().connect(addr, {plaintext: "yes"})`, "no boolean"},
		{`new m.Client().connect(addr, {timeout: {}})`, "invalid timeout"},
		{`new m.Client().connect(addr, {maxReceiveSize: -1})`, "maxReceiveSize"},
		{`new m.Client().connect(addr, {maxSendSize: "x"})`, "maxSendSize"},
		{`new m.Client().connect(addr, {maxSendSize: 1.5})`, "maxSendSize"},
		{`new m.Client().connect(addr, {tls: {nope: 1}})`, `unknown tls param "nope"`},
		{`new m.Client().connect(addr, {tls: {cacerts: "x"}})`, "no PEM certificate"},
		{`new m.Client().connect(addr, {tls: {cert: "x"}})`, "the key is not PEM"},
		{`new m.Client().connect(addr, {tls: 5})`, "invalid tls"},
		{`new m.Client().connect("127.0.0.1:1", {plaintext: true})`, "connection refused"},
		{`new m.Client().connect("127.0.0.1:1:1", {plaintext: true})`, "too many colons"},
		{`new m.Stream()`, "must be a Client"},
		{`new m.Stream({}, "test.Test/Sum")`, "must be a Client"},
		{`new m.Stream(c, "test.Test/Nope")`, "is not known"},
		{`new m.Stream(new m.Client(), "test.Test/Sum")`, "no gRPC connection"},
		{`new m.Stream(c, "test.Test/Sum", {nope: 1})`, "unknown param"},
		{`m.Client.prototype.invoke.call({}, "test.Test/Echo", {})`, "the receiver is no Client"},
	}
	for _, test := range tests {
		b.Throws(test.script, test.want)
	}
	b.Want(`c.close(); c.close(); try { c.invoke("test.Test/Echo", {}) } catch (e) { return e.name }`, "GoError")
}

func TestInitStage(t *testing.T) {
	b := bench(t, New(), nil, moduletest.Config{Init: true})
	for _, script := range []string{
		`c.connect("127.0.0.1:1")`, `c.invoke("test.Test/Echo", {})`, `c.healthCheck()`, `new m.Stream(c, "test.Test/Sum")`, `c.asyncInvoke("test.Test/Echo", {})`,
	} {
		b.Throws(script, "in the init context is not supported")
	}
	b.Host.Stage = modules.StageInit
	b.Want(`return JSON.stringify(new m.Client().load(["protos"], "test.proto")[7])`,
		`{"package":"test","service":"Test","full_method":"/test.Test/Chat","name":"Chat","is_client_stream":true,"is_server_stream":true}`)
	b.Throws(`new m.Client().load(["protos"], "none.proto")`, "no such file")
	b.Throws(`new m.Client().load(["protos"])`, "no proto file")
	b.Throws(`new m.Client().load(5, "test.proto")`, "no string")
	b.Throws(`new m.Client().loadProtoset("none")`, "no such file")
	b.Throws(`new m.Client().loadProtoset("test.proto")`, "no set of file descriptors")
}

func TestDescriptorsAreShared(t *testing.T) {
	s := serve(t)
	b := bench(t, New(), s, moduletest.Config{})
	b.Host.Stage = modules.StageInit
	b.Text(`d = new m.Client(); d.load(null, "test.proto"); return ""`)
	b.Host.Stage = modules.StageVU
	b.Text(`c.connect(addr, {plaintext: true, reflect: true}); d.connect(addr, {plaintext: true, reflect: true}); return ""`)
	c, d := b.Host.Runtime.Get("c").Export().(*client), b.Host.Runtime.Get("d").Export().(*client)
	if c.sets[0] != d.sets[0] || c.reflected == nil || c.reflected != d.reflected {
		t.Error("two clients have descriptors of their own")
	}
}

func TestAsyncInvoke(t *testing.T) {
	b, _ := connected(t, moduletest.Config{})
	b.Want(`return (async () => {
		const all = await Promise.all([1, 2, 3].map((n) => c.asyncInvoke("test.Test/Wait", {n: 30 - n, some_text: "" + n})));
		return all.map((r) => r.message.someText).join("") + String(all[0].status);
	})()`, "123OK")
	b.Want(`return c.asyncInvoke("test.Test/Echo", {}, {nope: 1}).catch((e) => e.name)`, "GoError")
	b.Want(`return c.asyncInvoke("test.Test/Echo", null).then(() => 1, (e) => 2)`, "2")
	b.Want(`const p = c.asyncInvoke("test.Test/Wait", {n: 60000}); c.close(); return p.then((r) => r.status)`, "Canceled")
}

func TestSamples(t *testing.T) {
	b, s := connected(t, moduletest.Config{Tap: true})
	b.Samples()
	b.Host.VU.Record.SetTag("mine", "1")
	b.Text(`c.invoke("test.Test/Echo", {}); c.invoke("test.Test/Echo", {}); c.invoke("test.Test/Fail", {n: 5}, {tags: {a: "b", name: "short"}}); c.healthCheck(); return ""`)
	var got []string
	for _, line := range b.Samples(b.Host.Run.Builtin.GRPCReqDuration) {
		name, rest, _ := strings.Cut(line, " ")
		_, tags, _ := strings.Cut(rest, " ")
		got = append(got, name+" "+strings.ReplaceAll(tags, s.addr, "ADDR"))
	}
	echo := "grpc_req_duration group=,method=Echo,mine=1,name=/test.Test/Echo,scenario=default,service=test.Test,status=0,url=ADDR/test.Test/Echo"
	want := []string{
		echo, echo,
		"grpc_req_duration a=b,group=,method=Fail,mine=1,name=short,scenario=default,service=test.Test,status=5,url=ADDR/test.Test/Fail",
		"grpc_req_duration group=,mine=1,scenario=default,status=0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if d := b.Host.VU.Client.Dialer(); d.Sent() == 0 || d.Received() == 0 {
		t.Error("no bytes were counted")
	}
}

// TestOwnTimeouts is where the module differs under its two names.
func TestOwnTimeouts(t *testing.T) {
	for _, own := range []bool{false, true} {
		m := New()
		if own {
			m = NewOwn()
		}
		s := serve(t)
		b := bench(t, m, s, moduletest.Config{Tap: true})
		b.Text(`return c.connect(addr, {plaintext: true})`)
		b.Want(`const start = Date.now(); const r = c.invoke("test.Test/Wait", {n: 60000}, {timeout: 50}); return [r.status === m.StatusDeadlineExceeded, Date.now() - start < 30000]`, "true,true")
		b.Want(`return c.invoke("test.Test/Echo", {}, {timeout: -1}).status`, "DeadlineExceeded")
		b.Want(`return "message" in c.invoke("test.Test/Fail", {n: 5, big: 1, some_text: "x"}).error`, fmt.Sprint(own))
		b.Want(`return c.invoke("test.Test/Fail", {n: 5, big: 1}).error.details[0].reason`, "BECAUSE")
		measured, counted := len(b.Samples(b.Host.Run.Builtin.GRPCReqDuration)), b.Host.Run.Metrics.Lookup(timeoutsName) != nil
		if want := map[bool]int{false: 2, true: 4}[own]; measured != want || counted == own {
			t.Errorf("own %v: %d calls measured, want %d; timeouts counted: %v", own, measured, want, counted)
		}
	}
}

func TestSizes(t *testing.T) {
	s := serve(t)
	b := bench(t, New(), s, moduletest.Config{})
	call := func(params, request string) string {
		return b.Text(`c.connect(addr, Object.assign({plaintext: true}, ` + params + `)); const r = c.invoke("test.Test/Echo", ` + request + `); return [r.status, r.message.data.length]`)
	}
	for _, test := range []struct{ params, request, want string }{
		{`{}`, `{n: 3000000}`, "OK,4000000"},
		{`{}`, `{n: 5000000}`, "ResourceExhausted,0"},
		{`{maxReceiveSize: 6000000}`, `{n: 5000000}`, "OK,6666668"},
		{`{maxReceiveSize: 0}`, `{n: 5000000}`, "ResourceExhausted,0"},
		{`{maxReceiveSize: 100}`, `{n: 1000}`, "ResourceExhausted,0"},
		{`{maxSendSize: 100}`, `{data: "A".repeat(1000)}`, "ResourceExhausted,0"},
	} {
		if got := call(test.params, test.request); got != test.want {
			t.Errorf("%s %s: got %s, want %s", test.params, test.request, got, test.want)
		}
	}
}

func TestReflection(t *testing.T) {
	s := serve(t)
	b := moduletest.New(t, New(), moduletest.Config{})
	_ = b.Host.Runtime.Set("addr", s.addr)
	b.Want(`c = new m.Client(); c.connect(addr, {plaintext: true, reflect: true, reflectMetadata: {"x-token": "secret"}}); return c.invoke("test.Test/Echo", {some_text: "seen"}).message.someText`, "seen")
	if token := <-s.tokens; token != "secret" {
		t.Errorf("reflection came with %q", token)
	}
	b.Want(`c.connect(addr, {plaintext: true}); try { c.invoke("test.Test/Echo", {}) } catch (e) { return "forgotten" }`, "forgotten")
}

func TestTLS(t *testing.T) {
	p := newPKI(t)
	plain, mutual := serve(t, p.option(t, false)), serve(t, p.option(t, true))
	b := bench(t, New(), plain, moduletest.Config{})
	for name, value := range map[string]string{"ca": p.authority, "cert": p.cert, "key": p.key, "mutual": mutual.addr, "other": newPKI(t).authority} {
		_ = b.Host.Runtime.Set(name, value)
	}
	b.Want(`c.connect(addr, {tls: {cacerts: ca}}); return c.invoke("test.Test/Echo", {}).status`, "OK")
	b.Want(`c.connect(addr, {tls: {cacerts: [other, ca]}, authority: "test.example"}); return c.invoke("test.Test/Meta", {}).message.seen[":authority"]`, "test.example")
	b.Want(`c.connect(mutual, {tls: {cacerts: ca, cert: cert, key: key}}); return c.invoke("test.Test/Echo", {}).status`, "OK")
	b.Throws(`c.connect(addr)`, "certificate")
	b.Throws(`c.connect(addr, {tls: {cacerts: other}})`, "unknown authority")
	b.Throws(`c.connect(addr, {tls: {cacerts: ca}, authority: "evil.example"})`, "evil.example")
	b.Throws(`c.connect(mutual, {tls: {cacerts: ca}})`, "connecting to") // why is a race: the server closes while we write
	b.Throws(`c.connect(addr, {plaintext: true})`, "connecting to")
}

func TestTLSOfTheTest(t *testing.T) {
	p := newPKI(t)
	s := serve(t, p.option(t, false))
	b := bench(t, New(), s, moduletest.Config{Network: vuclient.Config{TLS: vuclient.TLS{InsecureSkipVerify: true}}})
	b.Want(`c.connect(addr); return c.invoke("test.Test/Echo", {}).status`, "OK")
}

// TestBadServers are servers that speak no gRPC, each of which fails soon.
func TestBadServers(t *testing.T) {
	tests := []struct {
		name   string
		answer func(net.Conn)
	}{
		{"silent", func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }},
		{"closes at once", func(net.Conn) {}},
		{"speaks HTTP/1.1", func(c net.Conn) {
			_, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			_, _ = io.Copy(io.Discard, c)
		}},
		{"sends noise", func(c net.Conn) { _, _ = c.Write(make([]byte, 1<<16)) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			noLeaks(t)
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					c, err := l.Accept()
					if err != nil {
						return
					}
					go func() { defer c.Close(); test.answer(c) }()
				}
			}()
			t.Cleanup(func() { l.Close(); <-done })
			b := bench(t, New(), nil, moduletest.Config{})
			_ = b.Host.Runtime.Set("addr", l.Addr().String())
			start := time.Now()
			b.Throws(`c.connect(addr, {plaintext: true, timeout: "300ms"})`, "connecting to")
			b.Throws(`c.connect(addr, {timeout: "300ms"})`, "connecting to")
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

func TestServerGone(t *testing.T) {
	b, s := connected(t, moduletest.Config{})
	b.Want(`return c.invoke("test.Test/Echo", {}).status`, "OK")
	s.stop()
	b.Want(`const r = c.invoke("test.Test/Echo", {}); return [r.status, r.error.code]`, "Unavailable,14")
}

// TestInterruption stops the virtual user in the middle of each kind of work. The
// check for leaks shows that the work has ended.
func TestInterruption(t *testing.T) {
	for _, script := range []string{
		`c.invoke("test.Test/Wait", {n: 60000})`,
		`c.asyncInvoke("test.Test/Wait", {n: 60000})`,
		`new m.Stream(c, "test.Test/Chat").write({n: 1})`,
		`const s = new m.Stream(c, "test.Test/Deaf"); for (let i = 0; i < 100; i++) s.write({data: "A".repeat(100000)})`,
		`new m.Stream(c, "test.Test/Count").write({n: 1000000})`,
	} {
		t.Run(script, func(t *testing.T) {
			b, _ := connected(t, moduletest.Config{})
			time.AfterFunc(100*time.Millisecond, b.Cancel)
			start := time.Now()
			if v, err := b.Eval(script); err == nil && v.String() != "undefined" {
				t.Errorf("got %v", v)
			}
			if d := time.Since(start); d > 20*time.Second {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// TestFailureEndsTheIteration has a script throw while work is going on.
func TestFailureEndsTheIteration(t *testing.T) {
	b, s := connected(t, moduletest.Config{})
	b.Throws(`c.asyncInvoke("test.Test/Wait", {n: 60000}); new m.Stream(c, "test.Test/Deaf"); c.invoke("test.Test/Wait", {n: 100}); throw new Error("stop")`, "stop")
	got := []string{<-s.ended, <-s.ended}
	if sorted(got) != "Deaf\nWait" {
		t.Errorf("the server saw the end of %v", got)
	}
	b.Want(`return c.invoke("test.Test/Echo", {}).status`, "OK")
}

func TestExperimentalWarnsOnce(t *testing.T) {
	m := NewExperimental()
	b := moduletest.New(t, m, moduletest.Config{})
	m.Instantiate(b.Host)
	if log := b.Log(); strings.Count(log, "deprecated") != 1 {
		t.Errorf("log %q", log)
	}
}

func BenchmarkInvoke(b *testing.B) {
	s := serve(b)
	u := bench(b, New(), s, moduletest.Config{})
	u.Text(`return c.connect(addr, {plaintext: true})`)
	f := u.Function(`return c.invoke("test.Test/Echo", {some_text: "hello", n: 0, big: 7}).message.someText`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f(nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBare is what the library alone costs for the same call.
func BenchmarkBare(b *testing.B) {
	s := serve(b)
	conn, err := grpc.NewClient("passthrough:///"+s.addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	m := s.set.Method("test.Test/Echo")
	b.ReportAllocs()
	for b.Loop() {
		in, out := dynamicpb.NewMessage(m.Input), dynamicpb.NewMessage(m.Output)
		set(in, "some_text", "hello")
		set(in, "n", int32(0))
		set(in, "big", int64(7))
		if err := conn.Invoke(b.Context(), m.Path, in, out); err != nil {
			b.Fatal(err)
		}
	}
}
