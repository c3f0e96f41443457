package api

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/engine"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/record"
)

// bench is a run with fake units and its API.
type bench struct {
	t      *testing.T
	config engine.Config
	url    string
	data   []byte
	events chan string
	done   chan engine.Result
}

func newBench(t *testing.T, s options.Scenario) *bench {
	registry := metrics.NewRegistry()
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now()), SystemTags: metrics.DefaultSystemTags})
	recorder := record.New(record.Config{Store: store, SystemTags: metrics.DefaultSystemTags})
	b := &bench{t: t, data: []byte(`{"n":1}`), events: make(chan string, 10), done: make(chan engine.Result, 1)}
	log := slog.New(slog.DiscardHandler)
	b.config = engine.Config{
		Options: options.Options{Scenarios: options.Some([]options.Scenario{s})},
		Factory: units{recorder}, Store: store, Recorder: recorder, Live: engine.NewLive(), Log: log,
		Setup:    func(context.Context) error { b.events <- "setup"; return nil },
		Teardown: func(context.Context) error { b.events <- "teardown"; return nil },
	}
	server := httptest.NewServer((&Server{cfg: Config{
		Live: b.config.Live, Store: store, Log: log,
		SetupData: func() []byte { return b.data }, SetSetupData: func(d []byte) { b.data = d },
	}}).Handler())
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

func looping(d time.Duration) options.Scenario {
	return options.Scenario{Name: "s", Executor: options.ConstantVUs, VUs: options.Some[int64](2),
		Duration: options.Some(options.Duration(d)), GracefulStop: options.Some(options.Duration(0))}
}

// start runs the test until it is at a status.
func (b *bench) start(at engine.Status) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	go func() { b.done <- engine.Run(ctx, b.config) }()
	b.t.Cleanup(cancel)
	for range 1000 {
		if b.config.Live.Status() == at {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	b.t.Fatalf("the run stays at status %d", b.config.Live.Status())
}

// ask sends a request and returns the code and the body.
func (b *bench) ask(method, path, body string) (int, string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.url+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	all, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(all)
}

func (b *bench) want(method, path, body string, code int, parts ...string) {
	b.t.Helper()
	got, text := b.ask(method, path, body)
	if got != code {
		b.t.Errorf("%s %s gives %d, want %d: %s", method, path, got, code, text)
	}
	for _, p := range parts {
		if !strings.Contains(text, p) {
			b.t.Errorf("%s %s gives %s, without %s", method, path, text, p)
		}
	}
}

// units makes virtual users that check, then sleep until they are stopped.
type units struct{ recorder *record.Recorder }

func (u units) NewUnit(_ context.Context, id vu.ID) (vu.Unit, error) {
	return &unit{record: u.recorder.VU(id.InTest), recorder: u.recorder}, nil
}

type unit struct {
	recorder *record.Recorder
	record   *record.VU
	ctx      context.Context
	once     sync.Once
}

func (u *unit) Activate(ctx context.Context, s *vu.Scenario) error {
	u.ctx = ctx
	u.record.SetScenario(u.recorder.Scenario(s.Name, nil))
	return nil
}

func (u *unit) Iterate(vu.Iteration) error {
	u.once.Do(func() {
		scope, _ := u.record.EnterGroup("outer")
		_ = u.record.Check("fine", true)
		u.record.LeaveGroup(scope)
	})
	select {
	case <-u.ctx.Done():
		return vu.ErrInterrupted
	case <-time.After(20 * time.Millisecond):
		return nil
	}
}

func (u *unit) Close() error { return nil }

func TestReading(t *testing.T) {
	b := newBench(t, looping(time.Hour))
	set, err := threshold.NewSet(map[string][]threshold.Definition{"checks": {{Source: "rate<0.5"}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Bind(b.config.Store.Registry(), b.config.Store); err != nil {
		t.Fatal(err)
	}
	b.config.Thresholds = set
	b.start(engine.StatusRunning)
	for b.config.Live.IterationsCompleted() == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	b.want("GET", "/v1/status", "", 200, `{"data":{"type":"status","id":"default","attributes":{"status":7,"paused":false,"vus":2,"vus-max":2,"stopped":false,"running":true,"tainted":false}}}`)
	b.want("GET", "/v1/metrics", "", 200, `"id":"checks","attributes":{"type":"rate","contains":"default","tainted":null,"sample":{"rate":1}}`)
	b.want("GET", "/v1/metrics/group_duration", "", 200, `"p(95)":`, `"contains":"time"`)
	b.want("GET", "/v1/metrics/nope", "", 404, `{"errors":[{"status":"404","title":"Not Found","detail":"No metric with that ID was found"}]}`)
	b.want("GET", "/v1/groups", "", 200, `"path":"::outer","name":"outer","checks":[{"id":`, `"parent":{"data":null}`, `"name":"fine","passes":2,"fails":0`)
	b.want("GET", "/v1/groups/ffff", "", 404, "No group with that ID was found")
	b.want("GET", "/v1/nothing", "", 404, `"status":"404"`)
	b.want("DELETE", "/v1/status", "", 405, `"status":"405"`)
	b.want("POST", "/v1/metrics", "{}", 405)
	b.want("HEAD", "/v1/status", "", 200)
	b.want("POST", "/ping", "", 200, "ok")
	b.want("GET", "/", "", 200, "ok")
	b.want("GET", "/metrics", "", 200, "# TYPE go_goroutines gauge\ngo_goroutines ")
	b.want("GET", "/debug/vars", "", 200, `"memstats"`)
	b.want("GET", "/debug/pprof/", "", 404)
	time.Sleep(2100 * time.Millisecond) // thresholds are judged every 2 s
	b.want("GET", "/v1/metrics/checks", "", 200, `"tainted":true`)
	b.want("GET", "/v1/status", "", 200, `"tainted":true`)
}

func TestSteering(t *testing.T) {
	b := newBench(t, looping(time.Hour))
	b.config.Options.Paused = options.Some(true)
	b.start(engine.StatusPausedBeforeRun)
	patch := func(attributes string, code int, parts ...string) {
		t.Helper()
		b.want("PATCH", "/v1/status", `{"data":{"type":"status","id":"default","attributes":`+attributes+`}}`, code, parts...)
	}
	patch(`{"vus":3}`, 409, "no running scenario")
	patch(`{"paused":false}`, 200, `"status":4,"paused":false`, `"running":false`)
	for b.config.Live.Status() != engine.StatusRunning || b.config.Live.VUsActive() != 2 {
		time.Sleep(5 * time.Millisecond)
	}
	patch(`{"paused":true}`, 200, `"paused":true`)
	patch(`{"paused":true}`, 200, `"paused":true`)
	patch(`{"paused":false}`, 200, `"paused":false`)
	patch(`{"vus":5}`, 200)
	for b.config.Live.VUsActive() != 5 {
		time.Sleep(5 * time.Millisecond)
	}
	patch(`{"vus":5,"vus-max":4}`, 409, "can't be more than")
	patch(`{"vus-max":40}`, 409, "constant-vus has no limit")
	patch(`{"vus":-1}`, 409, "negative")
	patch(`{"vus":100000000000}`, 409, "GB of memory")
	patch(`{"vus":"many"}`, 400, "data.attributes.vus must not be a string")
	patch(`{"paused":1}`, 400)
	b.want("PATCH", "/v1/status", `{}`, 200, `"running":true`)
	b.want("PATCH", "/v1/status", `{`, 400, "not JSON")
	b.want("PATCH", "/v1/status", ``, 400, "not JSON")
	patch(`{"stopped":false}`, 200, `"stopped":false`)
	patch(`{"stopped":true}`, 200, `"stopped":true`)
	if r := <-b.done; r.Code != vu.ExitStoppedByAPI || r.Snapshot == nil {
		t.Errorf("ended with code %d, %v", r.Code, r.Err)
	}
	patch(`{"paused":true}`, 409, "has ended")
	b.want("GET", "/v1/status", "", 200, `"running":false`)
	b.want("POST", "/v1/setup", "", 500, "not running")
}

func TestSetupData(t *testing.T) {
	b := newBench(t, looping(time.Hour))
	b.start(engine.StatusRunning)
	if e := <-b.events; e != "setup" {
		t.Errorf("event %s", e)
	}
	b.want("GET", "/v1/setup", "", 200, `{"data":{"type":"setupData","id":"default","attributes":{"data":{"n":1}}}}`)
	b.want("PUT", "/v1/setup", `{"n":2}`, 200, `{"data":{"n":2}}`)
	b.want("PUT", "/v1/setup", `{"n":2`, 400)
	b.want("PUT", "/v1/setup", strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), 400)
	b.want("POST", "/v1/setup", "", 200, `"data":{"n":2}`)
	if e := <-b.events; e != "setup" {
		t.Errorf("event %s", e)
	}
	if code, body := b.ask("POST", "/v1/teardown", ""); code != 200 || body != "" {
		t.Errorf("teardown gives %d, %q", code, body)
	}
	if e := <-b.events; e != "teardown" {
		t.Errorf("event %s", e)
	}
	b.data = nil
	b.want("GET", "/v1/setup", "", 200, `{"data":null}`)
}

// A page of another origin cannot steer a test.
func TestOtherOrigins(t *testing.T) {
	b := newBench(t, looping(time.Hour))
	req := httptest.NewRequest("POST", b.url+"/v1/teardown", nil)
	req.RequestURI = ""
	req.Header.Set("Origin", "https://elsewhere.example")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusForbidden {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestAddresses(t *testing.T) {
	for given, want := range map[string]string{
		"127.0.0.1:6565": "127.0.0.1:6565", ":6565": "127.0.0.1:6565", "6565": "127.0.0.1:6565",
		"localhost:1": "localhost:1", "[::1]:7": "[::1]:7", "0.0.0.0:80": "0.0.0.0:80",
		"": "", "localhost": "", "a:b:c": "", "h:": "",
	} {
		got, err := withHost(given)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v", given, got, err)
		}
	}
	for address, public := range map[string]bool{"127.0.0.1:0": false, ":0": false, "0.0.0.0:0": true} {
		l, err := Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		if Public(l) != public {
			t.Errorf("%s: public is %t", address, !public)
		}
		_ = l.Close()
	}
}

func TestServerAndClient(t *testing.T) {
	b := newBench(t, looping(time.Hour))
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := Serve(l, Config{Live: b.config.Live, Store: b.config.Store, Profiling: true, Log: b.config.Log,
		SetupData: func() []byte { return nil }, SetSetupData: func([]byte) {}})
	b.start(engine.StatusRunning)
	c, err := NewClient(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if st, err := c.Status(t.Context()); err != nil || st.Status != engine.StatusRunning || st.VUsMax != 2 {
		t.Errorf("%+v, %v", st, err)
	}
	// A paused test records nothing more: its first samples come before.
	for range 1000 {
		if all, err := c.Metrics(t.Context()); err == nil && len(all) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	paused, many := true, int64(-4)
	if st, err := c.Change(t.Context(), Change{Paused: &paused}); err != nil || !st.Paused {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := c.Change(t.Context(), Change{VUs: &many}); err == nil || !strings.Contains(err.Error(), "negative") {
		t.Errorf("a refusal gives %v", err)
	}
	if all, err := c.Metrics(t.Context()); err != nil || len(all) == 0 {
		t.Errorf("%v, %v", all, err)
	}
	b.url = "http://" + l.Addr().String()
	b.want("GET", "/debug/pprof/", "", 200, "goroutine")
	s.Close()
	if _, err := c.Status(t.Context()); err == nil || !strings.Contains(err.Error(), "no test can be reached on") {
		t.Errorf("after the end: %v", err)
	}
}

// What answers on an address may be anything.
func TestClientAgainstOthers(t *testing.T) {
	for body, want := range map[string]string{"<html>": "is not jsload", "": "is not jsload"} {
		other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
		c, err := NewClient(strings.TrimPrefix(other.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Status(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q gives %v", body, err)
		}
		other.Close()
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	c, _ := NewClient(silent.Addr().String())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Status(ctx); err == nil || !strings.Contains(err.Error(), "asking the test on") {
		t.Errorf("silence gives %v", err)
	}
}

func FuzzChange(f *testing.F) {
	for _, s := range []string{`{}`, `{"data":{"attributes":{"paused":true}}}`, `{"data":null}`, `[]`, `{"data":{"attributes":{"vus":1e9}}}`} {
		f.Add(s)
	}
	log := slog.New(slog.DiscardHandler)
	f.Fuzz(func(t *testing.T, body string) {
		s := &Server{cfg: Config{Live: engine.NewLive(), Log: log}}
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("PATCH", "/v1/status", strings.NewReader(body)))
		var any map[string]json.RawMessage
		if err := json.Unmarshal(w.Body.Bytes(), &any); err != nil {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
		if (w.Code == 200) != (any["data"] != nil) || (w.Code == 200) == (any["errors"] != nil) {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	})
}
