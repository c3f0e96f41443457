package loop

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/client/proto/transporttest"
)

// looper is a task that makes the same request over and over.
type looper struct {
	client *client.Client
	req    client.Request
	resp   client.Response
	left   int
	errs   int
	check  func(*client.Response)
	done   chan struct{}
}

func (v *looper) Resume(t *Task, done *client.Response) {
	for ; v.left > 0; done = &v.resp {
		if done != nil {
			v.left--
			if done.Err != nil {
				v.errs++
			}
			if v.check != nil {
				v.check(done)
			}
		}
		if v.left == 0 {
			v.done <- struct{}{}
			return
		}
		if !t.Do(&v.req, &v.resp) {
			return
		}
	}
}

// loopers puts n of them on the rig's loop.
func (r *rig) loopers(t testing.TB, n int, url string) []*looper {
	all := make([]*looper, n)
	for i := range all {
		c := r.network.Client(uint64(i + 2))
		all[i] = &looper{client: c, req: client.Request{URL: url}, done: make(chan struct{}, 1)}
		t.Cleanup(c.Close)
	}
	return all
}

// run lets the loopers make count requests each and waits for them.
func (r *rig) run(all []*looper, count int) {
	tasks := make([]*Task, len(all))
	for i, v := range all {
		v.left = count
		tasks[i] = r.loop.NewTask(v, v.client)
		tasks[i].Start()
	}
	for i, v := range all {
		<-v.done
		tasks[i].Close()
	}
}

const hello = "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello"

// lean answers without allocating.
func lean(_ int, nc net.Conn, r *bufio.Reader) {
	answer := []byte(hello)
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		if len(line) == 2 {
			nc.Write(answer)
		}
	}
}

// TestSteadyGetAllocatesNothing is trap 10, as far as it is not a matter of measuring:
// a steady exchange allocates nothing.
func TestSteadyGetAllocatesNothing(t *testing.T) {
	r := newRig(t, client.Config{})
	v := r.loopers(t, 1, transporttest.RawServer(t, lean))[0]
	v.req.Header = []proto.Field{{Name: "X-A", Value: "1"}}
	task := r.loop.NewTask(v, v.client)
	defer task.Close()
	const requests = 1000
	allocs := testing.AllocsPerRun(3, func() {
		v.left = requests
		task.Start()
		<-v.done
	})
	if v.errs > 0 || allocs > 3 && !underRace {
		t.Errorf("%d errors, %v allocations for %d requests", v.errs, allocs, requests)
	}
}

// TestSize holds what a task costs the loop.
func TestSize(t *testing.T) {
	task, c := unsafe.Sizeof(Task{}), unsafe.Sizeof(conn{})
	if task+c > 300 {
		t.Errorf("a task is %d bytes, its connection %d", task, c)
	}
}

// TestAnswerBeforeRequest is trap 2: an answer that is there before the request is
// written, or comes while it is, has had its edge already.
func TestAnswerBeforeRequest(t *testing.T) {
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		io.WriteString(nc, hello)
		transporttest.ReadRequest(r)
		io.Copy(io.Discard, r)
	})
	r := newRig(t, client.Config{NoConnectionReuse: true})
	for range 50 {
		if resp := r.do(client.Request{URL: url, Timeout: 5 * time.Second}); resp.Err != nil || string(resp.Body) != "hello" {
			t.Fatalf("%v %q", resp.Err, resp.Body)
		}
	}
}

// TestIdleLoopHoldsNothing is trap 3: a loop that waits must not keep the only
// processor, or the collector would wait for it.
func TestIdleLoopHoldsNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := newRig(t, client.Config{})
	r.call(func() { r.task.Sleep(r.loop.Now() + int64(time.Hour)) })
	done := make(chan struct{})
	go func() {
		runtime.GC()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("no collection while a loop waits")
	}
}

// TestCloseBeforeNext is trap 4: a connection that ends with its answer is closed before
// the next request is written.
func TestCloseBeforeNext(t *testing.T) {
	for _, answer := range []string{
		"HTTP/1.0 200 OK\r\n\r\nuntil close",
		"HTTP/1.1 200 OK\r\n\r\nuntil close",
		"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 11\r\n\r\nuntil close",
	} {
		r := newRig(t, client.Config{})
		all := r.loopers(t, 3, transporttest.RawServer(t, transporttest.Always(answer, true)))
		for _, v := range all {
			v.check = func(resp *client.Response) {
				if resp.Err != nil || resp.Reused || string(resp.Body) != "until close" {
					t.Errorf("%v, reused %v, %q", resp.Err, resp.Reused, resp.Body)
				}
			}
		}
		r.run(all, 20)
		if n := r.network.Retries(); n > 0 {
			t.Errorf("%q: %d retries", answer, n)
		}
	}
}

// TestPieces is trap 5: an answer that comes byte by byte.
func TestPieces(t *testing.T) {
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := transporttest.ReadRequest(r); err != nil {
				return
			}
			for _, c := range []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;ext=1\r\nabc\r\n0000A\r\n0123456789\r\n0\r\nX: y\r\n\r\n") {
				nc.Write([]byte{c})
				time.Sleep(10 * time.Microsecond)
			}
		}
	})
	r := newRig(t, client.Config{})
	for range 3 {
		if resp := r.do(client.Request{URL: url}); resp.Err != nil || string(resp.Body) != "abc0123456789" {
			t.Fatalf("%v %q", resp.Err, resp.Body)
		}
	}
}

// TestRefusingServer is trap 6: users whose server refuses them do not dial more than
// once in a tick, and do not keep the loop from others.
func TestRefusingServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	r := newRig(t, client.Config{})
	all := r.loopers(t, 4, "http://"+l.Addr().String())
	for _, v := range all {
		last := int64(0)
		v.check = func(resp *client.Response) {
			if resp.Err == nil || resp.Err.Code != proto.CodeDialRefused {
				t.Errorf("%v", resp.Err)
			}
			if end := resp.Timings.End; last > 0 && end-last < tick {
				t.Errorf("failed again after %d ns", end-last)
			}
			last = resp.Timings.End
		}
	}
	good := transporttest.RawServer(t, lean)
	served := make(chan *client.Response, 1)
	go func() { served <- r.do(client.Request{URL: good}) }()
	r.run(all, 50)
	if resp := <-served; resp.Err != nil {
		t.Error(resp.Err)
	}
}

// TestIdleConnectionEnds is trap 7: the end of an idle connection is noticed at once.
func TestIdleConnectionEnds(t *testing.T) {
	end := make(chan struct{})
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		transporttest.ReadRequest(r)
		io.WriteString(nc, hello)
		<-end
	})
	r := newRig(t, client.Config{})
	r.do(client.Request{URL: url})
	open := func() (n int) {
		r.call(func() { n = r.task.Open() })
		return n
	}
	if n := open(); n != 1 {
		t.Fatalf("%d connections open", n)
	}
	close(end)
	for deadline := time.Now().Add(5 * time.Second); open() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the dead connection is still open")
		}
	}
	if resp := r.do(client.Request{Method: "POST", URL: url}); resp.Err != nil || resp.Exchanges[0].Retries != 1 || resp.Exchanges[0].Sent == 0 {
		t.Errorf("%v %+v", resp.Err, resp.Exchanges)
	}
	if n := r.network.Retries(); n != 1 {
		t.Errorf("%d retries counted", n)
	}
}

// TestEndWithData is trap 8: when the end of the stream comes in the same event as the
// last data, there is no other edge for it.
func TestEndWithData(t *testing.T) {
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		transporttest.ReadRequest(r)
		io.WriteString(nc, "HTTP/1.1 200 OK\r\n\r\nbody")
		nc.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, r)
	})
	r := newRig(t, client.Config{})
	for range 200 {
		if resp := r.do(client.Request{URL: url, Timeout: 5 * time.Second}); resp.Err != nil || string(resp.Body) != "body" {
			t.Fatalf("%v %q", resp.Err, resp.Body)
		}
	}
}

// TestBusyLoop is traps 11 and 13: tasks that always have something to do keep neither
// the goroutines of the process nor the loop's timers from their turns, with one
// processor for all.
func TestBusyLoop(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	r := newRig(t, client.Config{})
	var stop atomic.Bool
	var turns atomic.Int64
	hog := r.loop.NewTask(runnerFunc(func(t *Task) {
		turns.Add(1)
		if !stop.Load() {
			t.Yield()
		}
	}), r.client)
	hog.Start()
	woken := make(chan int64, 1)
	var until int64
	sleeper := r.loop.NewTask(runnerFunc(func(t *Task) {
		if until == 0 {
			until = t.Now() + int64(30*time.Millisecond)
			t.Sleep(until)
			return
		}
		woken <- t.Now()
		stop.Store(true)
	}), r.client)
	sleeper.Start()
	select {
	case at := <-woken:
		if at < until {
			t.Errorf("woken %d ns early", until-at)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the sleeper was forgotten")
	}
	if turns.Load() < 2 {
		t.Errorf("the busy task had %d turns", turns.Load())
	}
	if r.loop.Lag() <= 0 {
		t.Error("no lag was noticed")
	}
}

type runnerFunc func(*Task)

func (f runnerFunc) Resume(t *Task, _ *client.Response) { f(t) }

// TestOneExchangePerTurn: a user with a fast server does not starve another.
func TestOneExchangePerTurn(t *testing.T) {
	r := newRig(t, client.Config{})
	all := r.loopers(t, 2, transporttest.RawServer(t, lean))
	r.run(all, 500)
	for _, v := range all {
		if v.errs > 0 {
			t.Errorf("%d errors", v.errs)
		}
	}
}

// TestStaleEvents gives the place of a closed connection to another while reports
// about the old one are under way.
func TestStaleEvents(t *testing.T) {
	url := transporttest.RawServer(t, func(n int, nc net.Conn, r *bufio.Reader) {
		for {
			if _, err := transporttest.ReadRequest(r); err != nil {
				return
			}
			io.WriteString(nc, hello+"unasked")
			if n%3 == 0 {
				return
			}
		}
	})
	r := newRig(t, client.Config{})
	all := r.loopers(t, 8, url)
	for _, v := range all {
		v.check = func(resp *client.Response) {
			if resp.Err == nil && string(resp.Body) != "hello" {
				t.Errorf("%q", resp.Body)
			}
		}
	}
	r.run(all, 100)
}

// TestActivation ends what a task waits for, and nothing of the next activation.
func TestActivation(t *testing.T) {
	silent := transporttest.RawServer(t, func(_ int, _ net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) })
	good := transporttest.RawServer(t, lean)
	r := newRig(t, client.Config{})
	for i := range 50 {
		ctx, cancel := context.WithCancel(t.Context())
		r.task.Activate(ctx)
		if resp := r.do(client.Request{URL: good}); resp.Err != nil {
			t.Fatalf("active: %v", resp.Err)
		}
		time.AfterFunc(time.Duration(i%10)*200*time.Microsecond, cancel)
		if resp := r.do(client.Request{URL: silent}); !errors.Is(resp.Err, proto.ErrInterrupted) {
			t.Errorf("%v", resp.Err)
		}
		if resp := r.do(client.Request{URL: good}); !errors.Is(resp.Err, proto.ErrInterrupted) {
			t.Errorf("after the end: %v", resp.Err)
		}
	}
}

// TestSleepEnds interrupts a sleep.
func TestSleepEnds(t *testing.T) {
	r := newRig(t, client.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	woken := make(chan bool, 1)
	slept := false
	task := r.loop.NewTask(runnerFunc(func(t *Task) {
		if slept {
			woken <- t.Interrupted()
			return
		}
		slept = true
		t.Sleep(r.loop.Now() + int64(time.Hour))
		cancel()
	}), r.client)
	task.Activate(ctx)
	task.Start()
	if !<-woken {
		t.Error("the sleep ended without an interruption")
	}
}

// TestSlowWork is done elsewhere, while others go on.
func TestSlowWork(t *testing.T) {
	r := newRig(t, client.Config{})
	release := make(chan struct{})
	steps := make(chan string, 3)
	begun := false
	task := r.loop.NewTask(runnerFunc(func(t *Task) {
		if begun {
			steps <- "back"
			return
		}
		begun = true
		t.Go(func() {
			<-release
			steps <- "worked"
		})
	}), r.client)
	task.Start()
	if resp := r.do(client.Request{URL: transporttest.RawServer(t, lean)}); resp.Err != nil {
		t.Error(resp.Err)
	}
	close(release)
	if got := []string{<-steps, <-steps}; !slices.Equal(got, []string{"worked", "back"}) {
		t.Errorf("%v", got)
	}
}

// TestCounts compares what the loop counts with what the wait driver counts.
func TestCounts(t *testing.T) {
	url := transporttest.RawServer(t, lean)
	r := newRig(t, client.Config{})
	resp := r.do(client.Request{URL: url + "/x"})
	c := r.network.Client(9)
	defer c.Close()
	other := new(client.Response)
	c.Do(&client.Request{URL: url + "/x"}, other)
	if resp.Exchange.Sent != other.Exchange.Sent || resp.Received != other.Received {
		t.Errorf("%d and %d bytes, want %d and %d", resp.Exchange.Sent, resp.Received, other.Exchange.Sent, other.Received)
	}
	if d := r.client.Dialer(); d.Sent() != resp.Exchange.Sent || d.Received() != resp.Received {
		t.Errorf("the user counts %d and %d bytes", d.Sent(), d.Received())
	}
}

// TestWays checks that the loop honours what the run says about connections.
func TestWays(t *testing.T) {
	from := make(chan string, 1)
	url := transporttest.RawServer(t, func(_ int, nc net.Conn, r *bufio.Reader) {
		host, _, _ := net.SplitHostPort(nc.RemoteAddr().String())
		for {
			req, err := transporttest.ReadRequest(r)
			if err != nil {
				return
			}
			from <- host + " " + req.Host
			io.WriteString(nc, hello)
		}
	})
	_, port, _ := strings.Cut(strings.TrimPrefix(url, "http://"), ":")
	r := newRig(t, client.Config{
		Hosts:          []client.HostMapping{{Pattern: "mapped.test", IP: netip.MustParseAddr("127.0.0.1")}},
		BlockHostnames: []string{"*.blocked.test"},
		BlacklistIPs:   []netip.Prefix{netip.MustParsePrefix("127.9.0.0/16")},
		LocalIP:        func(vu uint64) netip.Addr { return netip.AddrFrom4([4]byte{127, 0, 0, byte(10 + vu)}) },
	})
	for host, want := range map[string]string{
		"mapped.test": "127.0.0.11 mapped.test:" + port,
		"localhost":   "127.0.0.11 localhost:" + port,
	} {
		resp := r.do(client.Request{URL: "http://" + host + ":" + port})
		if resp.Err != nil || resp.RemoteIP != "127.0.0.1" || fmt.Sprint(resp.RemotePort) != port {
			t.Errorf("%s: %v %+v", host, resp.Err, resp.Exchange)
			continue
		}
		if got := <-from; got != want {
			t.Errorf("%s: server saw %s", host, got)
		}
	}
	for host, code := range map[string]int{
		"a.blocked.test": proto.CodeBlockedHost,
		"127.9.1.1":      proto.CodeBlacklistedIP,
		"no..such.name":  proto.CodeNoSuchHost,
	} {
		if resp := r.do(client.Request{URL: "http://" + host + ":" + port}); resp.Err == nil || resp.Err.Code != code {
			t.Errorf("%s: %v", host, resp.Err)
		}
	}
}

// TestEndOfLoop closes a loop under its tasks.
func TestEndOfLoop(t *testing.T) {
	transporttest.CheckLeaks(t)
	epoch := time.Now()
	n := client.NewNetwork(client.Config{Epoch: epoch})
	defer n.Close()
	c := n.Client(1)
	defer c.Close()
	l, err := New(epoch)
	if err != nil {
		t.Skip(err)
	}
	silent := transporttest.RawServer(t, func(_ int, _ net.Conn, r *bufio.Reader) { io.Copy(io.Discard, r) })
	begun := make(chan struct{})
	resp := new(client.Response)
	task := l.NewTask(runnerFunc(func(t *Task) {
		t.Do(&client.Request{URL: silent}, resp)
		close(begun)
	}), c)
	task.Start()
	<-begun
	l.Close()
	l.Close()
	task.Start()
	task.Close()
}
