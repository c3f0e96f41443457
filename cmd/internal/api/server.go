// Package api is the REST API of a running test: its status, metrics, groups and
// setup data as JSON:API documents, and the means to pause, scale and stop it. It
// holds both sides, the server and the client.
//
// cmd/internal/cli starts a Server beside a run that was given an address, and
// uses Client in the commands that steer it. The server reads and steers through
// engine.Live. It decides nothing about the test and renders no text for people.
package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/engine"
)

// Config is what a server is made from. All fields are required unless their
// comment says otherwise.
type Config struct {
	Live  *engine.Live
	Store *metrics.Store
	// SetupData is what setup returned, as JSON, nil for nothing; SetSetupData
	// replaces it for the iterations to come.
	SetupData    func() []byte
	SetSetupData func([]byte)
	// Profiling serves /debug/pprof.
	Profiling bool
	Log       *slog.Logger
}

// Listen opens the address HOST:PORT of a server. Without a host, and for a port
// alone, it is loopback: other machines reach the API only if they are asked to.
func Listen(address string) (net.Listener, error) {
	address, err := withHost(address)
	if err != nil {
		return nil, err
	}
	return net.Listen("tcp", address)
}

// withHost completes an address.
func withHost(address string) (string, error) {
	if address != "" && strings.Trim(address, "0123456789") == "" {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return "", fmt.Errorf("invalid address %q: write HOST:PORT, such as 127.0.0.1:6565", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

// Public reports whether other machines can reach a listener.
func Public(l net.Listener) bool {
	tcp, ok := l.Addr().(*net.TCPAddr)
	return ok && !tcp.IP.IsLoopback()
}

// Server answers requests until it is closed.
type Server struct {
	cfg  Config
	http http.Server
	done sync.WaitGroup
	// hook is held while setup or teardown runs for a request.
	hook sync.Mutex
}

// Limits of what a client may do.
const (
	headTimeout = 10 * time.Second
	idleTimeout = time.Minute
	closeGrace  = 2 * time.Second
	maxBody     = 64 << 20
)

// Serve starts to answer requests on l, which the server closes.
func Serve(l net.Listener, cfg Config) *Server {
	s := &Server{cfg: cfg}
	s.http = http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headTimeout, IdleTimeout: idleTimeout,
		ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	s.done.Go(func() {
		if err := s.http.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
			cfg.Log.Error("the REST API failed", "error", err.Error())
		}
	})
	return s
}

// Close ends the server: requests under way get a moment.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close()
	}
	s.done.Wait()
}

// Handler returns what answers the requests. A web page that a user happens to
// look at cannot steer a test: requests across origins are refused.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.pattern, r)
	}
	if s.cfg.Profiling {
		profiles(mux)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeError(w, http.StatusNotFound, "There is nothing at "+r.URL.Path)
	})
	return http.NewCrossOriginProtection().Handler(mux)
}

// route is one address with what its methods do.
type route struct {
	pattern string
	methods []method
}

// method answers a request of one method, of any if the name is empty.
type method struct {
	name  string
	serve http.HandlerFunc
}

func (s *Server) routes() []route {
	return []route{
		{"/v1/status", []method{{"GET", s.status}, {"PATCH", s.changeStatus}}},
		{"/v1/metrics", []method{{"GET", s.metrics}}},
		{"/v1/metrics/{id...}", []method{{"GET", s.metric}}},
		{"/v1/groups", []method{{"GET", s.groups}}},
		{"/v1/groups/{id}", []method{{"GET", s.group}}},
		{"/v1/setup", []method{{"GET", s.setup}, {"PUT", s.replaceSetup}, {"POST", s.runSetup}}},
		{"/v1/teardown", []method{{"POST", s.runTeardown}}},
		{"/metrics", []method{{"GET", processMetrics}}},
		{"/debug/vars", []method{{"GET", variables}}},
		{"/debug/vars/{$}", []method{{"GET", variables}}},
		{"/ping", []method{{"", ping}}},
		{"/{$}", []method{{"", ping}}},
	}
}

// ServeHTTP picks the method. HEAD is GET without its body.
func (r route) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	asked := req.Method
	if asked == http.MethodHead {
		asked = http.MethodGet
	}
	var allowed []string
	for _, m := range r.methods {
		if m.name == "" || m.name == asked {
			req.Body = http.MaxBytesReader(w, req.Body, maxBody)
			m.serve(w, req)
			return
		}
		allowed = append(allowed, m.name)
	}
	list := strings.Join(allowed, ", ")
	w.Header().Set("Allow", list)
	writeError(w, http.StatusMethodNotAllowed, "The methods of this address are "+list)
}

func ping(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok"))
}
