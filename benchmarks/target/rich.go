package target

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// rich is the server with every route.
type rich struct {
	server  *fasthttp.Server
	ln      *trackedListener
	stats   *collector
	log     *slog.Logger
	pattern []byte
	packed  func() packedBodies

	// frozenUntil is the instant (of stats.now) before which no answer leaves.
	frozenUntil atomic.Int64
	// jittered numbers the requests that asked for jitter.
	jittered atomic.Uint64

	sockets sync.WaitGroup // of WebSocket connections
	frames  sync.Pool      // of their write buffers

	done   chan struct{} // closed when the server ends
	served chan error    // what Serve returned
}

func startRich(cfg Config, stats *collector, cert *certificate) (backend, error) {
	ln, err := net.Listen("tcp", cfg.Listen)
	if err != nil {
		return nil, err
	}
	s := &rich{
		ln:      &trackedListener{Listener: ln, stats: stats, conns: map[*trackedConn]struct{}{}},
		stats:   stats,
		log:     cfg.Logger,
		pattern: newPattern(),
		packed:  sync.OnceValue(packBodies),
		done:    make(chan struct{}),
		served:  make(chan error, 1),
	}
	s.server = &fasthttp.Server{
		Handler:                       s.handle,
		Name:                          "jsload-target",
		Logger:                        fasthttpLog{cfg.Logger},
		NoDefaultDate:                 true,
		DisableHeaderNamesNormalizing: true,
		DisablePreParseMultipartForm:  true,
		ReadBufferSize:                16 << 10,
		MaxRequestBodySize:            64 << 20,
		CloseOnShutdown:               true,
		// The pool's housekeeper outlives Close by as much.
		MaxIdleWorkerDuration: time.Second,
	}
	var serveOn net.Listener = s.ln
	if cert != nil {
		serveOn = tls.NewListener(s.ln, &tls.Config{Certificates: []tls.Certificate{cert.pair}, NextProtos: []string{"http/1.1"}})
	}
	go func() { s.served <- s.server.Serve(serveOn) }()
	return s, nil
}

func (s *rich) addr() string { return s.ln.Addr().String() }

func (s *rich) close() error {
	close(s.done)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// Shutdown knows the listener only once Serve runs, and it waits for open
	// connections, which a client may keep as long as it likes.
	_ = s.ln.Close()
	s.ln.closeConns()
	err := s.server.ShutdownWithContext(ctx)
	s.sockets.Wait()
	err = errors.Join(unlessClosed(err), unlessClosed(<-s.served))
	// Shutdown overlooks a connection that was accepted a moment ago.
	s.ln.open.Wait()
	return err
}

// unlessClosed drops the error of a listener that was closed on purpose.
func unlessClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// handle answers one request and files it.
func (s *rich) handle(ctx *fasthttp.RequestCtx) {
	arrived := s.stats.now()
	s.stats.arrive(0)
	r, arg := match(ctx.Path())
	s.answer(ctx, r, arg)
	s.waitThaw()
	s.stats.served(0, r, arrived, s.stats.now())
}

func (s *rich) answer(ctx *fasthttp.RequestCtx, r route, arg []byte) {
	switch r {
	case routeOK:
		ctx.SetContentType(textPlain)
		ctx.SetBodyString("ok")
	case routeSize:
		s.size(ctx, arg)
	case routeCount:
		ctx.SetContentType(textPlain)
		ctx.SetBodyString(strconv.FormatInt(s.stats.count(), 10))
	case routeStats:
		s.figures(ctx)
	case routeDelay:
		s.delay(ctx, arg)
	case routeStall:
		s.stall(ctx)
	case routeStatus:
		status(ctx, arg)
	case routeEcho:
		echo(ctx)
	case routeLogin:
		login(ctx)
	case routePrivate:
		private(ctx)
	case routeGzip, routeDeflate, routeBrotli, routeZstd:
		s.compressed(ctx, r)
	case routeCookies:
		cookies(ctx)
	case routeRedirect:
		redirect(ctx, arg)
	case routeClose:
		s.closeMidBody(ctx)
	case routeSlow:
		s.slow(ctx)
	case routeWebSocket:
		s.websocket(ctx)
	default:
		refuse(ctx, fasthttp.StatusNotFound, "no such route; see /__target/stats")
	}
}

const textPlain = "text/plain; charset=utf-8"

// refuse answers a request that the target cannot serve.
func refuse(ctx *fasthttp.RequestCtx, code int, why string) {
	ctx.SetStatusCode(code)
	ctx.SetContentType(textPlain)
	ctx.SetBodyString(why + "\n")
}

func writeJSON(ctx *fasthttp.RequestCtx, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		refuse(ctx, fasthttp.StatusInternalServerError, err.Error())
		return
	}
	ctx.SetContentType("application/json")
	ctx.SetBody(body)
}

func (s *rich) figures(ctx *fasthttp.RequestCtx) {
	writeJSON(ctx, s.stats.snapshot())
	if ctx.QueryArgs().GetBool("reset") {
		s.stats.reset()
		s.jittered.Store(0)
	}
}

func (s *rich) size(ctx *fasthttp.RequestCtx, arg []byte) {
	n, ok := decimal(arg, maxSize)
	if !ok {
		refuse(ctx, fasthttp.StatusBadRequest, "/size/{n}: n is a number of bytes up to 1073741824")
		return
	}
	ctx.SetContentType(textPlain)
	if n <= len(s.pattern) {
		ctx.Response.SetBodyRaw(s.pattern[:n])
		return
	}
	ctx.SetBodyStream(&patternReader{pattern: s.pattern, n: n}, n)
}

// sleep waits for d and reports false if the server ended first.
func (s *rich) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}

// waitThaw holds an answer back while /stall has the server frozen.
func (s *rich) waitThaw() {
	for {
		left := s.frozenUntil.Load() - s.stats.now()
		if left <= 0 || !s.sleep(time.Duration(left)) {
			return
		}
	}
}

// trackedListener counts connections and can end them all.
type trackedListener struct {
	net.Listener
	stats *collector

	open   sync.WaitGroup
	mu     sync.Mutex
	conns  map[*trackedConn]struct{}
	closed bool
}

// Accept implements net.Listener.
func (l *trackedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.stats.opened()
	l.open.Add(1)
	t := &trackedConn{TCPConn: c.(*net.TCPConn), listener: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[t] = struct{}{}
	if l.closed {
		_ = t.TCPConn.Close()
	}
	return t, nil
}

// closeConns ends every connection, also those accepted from now on.
func (l *trackedListener) closeConns() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for c := range l.conns {
		_ = c.TCPConn.Close()
	}
}

type trackedConn struct {
	*net.TCPConn
	listener *trackedListener
	once     sync.Once
}

// Close implements net.Conn.
func (c *trackedConn) Close() error {
	c.once.Do(func() {
		c.listener.stats.closed()
		c.listener.mu.Lock()
		delete(c.listener.conns, c)
		c.listener.mu.Unlock()
		c.listener.open.Done()
	})
	return c.TCPConn.Close()
}

// fasthttpLog passes what fasthttp would print to a logger.
type fasthttpLog struct{ log *slog.Logger }

// Printf implements fasthttp.Logger.
func (l fasthttpLog) Printf(format string, args ...any) {
	l.log.Debug(fmt.Sprintf("target: "+format, args...))
}
