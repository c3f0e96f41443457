// Package target is the deterministic server that jsload is tried and measured
// against: bodies, delays and faults on request, and its own count of what
// arrived.
//
// The target command, tests and benchmarks/compare start it; it calls nothing of
// jsload. It is no general web server: it has no access control worth the name
// and should listen on loopback only.
//
// Two servers share the package. The rich one (fasthttp) has every route. The
// lean one (Linux) answers fixed bytes from an epoll loop per core, so that the
// tool under test and not the server is the limit; it serves /ok, /size/{n} and
// the two control routes only.
package target

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"
)

// ErrLeanUnsupported is returned by Start when the lean server is asked for on a
// system that has no epoll. The rich server runs everywhere.
var ErrLeanUnsupported = errors.New("the lean target needs Linux (epoll); leave --lean out to use the rich one")

// Config says how a target listens. The zero value is the rich server over plain
// HTTP on a free port of 127.0.0.1.
type Config struct {
	// Listen is host:port; empty means 127.0.0.1:0, a free port.
	Listen string
	// Lean picks the fixed-bytes server.
	Lean bool
	// TLS serves HTTPS with a certificate made at start; see Server.CertPEM.
	// It cannot be combined with Lean.
	TLS bool
	// Loops is the number of event loops of the lean server; 0 means GOMAXPROCS.
	Loops int
	// Logger receives the server's own faults; nil discards them.
	Logger *slog.Logger
}

func (c Config) withDefaults() Config {
	c.Listen = cmp.Or(c.Listen, "127.0.0.1:0")
	c.Loops = cmp.Or(c.Loops, runtime.GOMAXPROCS(0))
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// backend is one of the two servers while it runs.
type backend interface {
	addr() string
	// close stops listening, ends all connections and waits for its goroutines.
	close() error
}

// Server is a running target.
type Server struct {
	backend backend
	stats   *collector
	cert    *certificate // nil without TLS
}

// Start listens and serves until Close.
func Start(cfg Config) (*Server, error) {
	cfg = cfg.withDefaults()
	s := &Server{}
	var err error
	switch {
	case cfg.Lean && cfg.TLS:
		return nil, errors.New("the lean target has no TLS")
	case cfg.Lean:
		s.stats = newCollector(cfg.Loops, time.Now())
		s.backend, err = startLean(cfg, s.stats)
	default:
		s.stats = newCollector(1, time.Now())
		if cfg.TLS {
			if s.cert, err = newCertificate(); err != nil {
				return nil, fmt.Errorf("making the target's certificate: %w", err)
			}
		}
		s.backend, err = startRich(cfg, s.stats, s.cert)
	}
	if err != nil {
		return nil, fmt.Errorf("starting the target on %s: %w", cfg.Listen, err)
	}
	return s, nil
}

// Addr returns the address the server listens on, as host:port.
func (s *Server) Addr() string { return s.backend.addr() }

// URL returns the root of the server without a slash at its end, such as
// http://127.0.0.1:8000.
func (s *Server) URL() string {
	if s.cert != nil {
		return "https://" + s.Addr()
	}
	return "http://" + s.Addr()
}

// CertPEM returns the certificate of an HTTPS target, which is its own authority,
// and nil without TLS.
func (s *Server) CertPEM() []byte {
	if s.cert == nil {
		return nil
	}
	return s.cert.pem
}

// Count returns how many requests arrived since Start, those of the control
// routes included. It is the number that /__target/count answers.
func (s *Server) Count() int64 { return s.stats.count() }

// Stats returns the figures since Start or the last Reset.
func (s *Server) Stats() Stats { return s.stats.snapshot() }

// Reset begins a new period of figures. Count goes on.
func (s *Server) Reset() { s.stats.reset() }

// Close ends all connections and frees the port. It returns when no goroutine of
// the server is left, but for the housekeeping of fasthttp, which ends within a
// second. It must be called once.
func (s *Server) Close() error { return s.backend.close() }
