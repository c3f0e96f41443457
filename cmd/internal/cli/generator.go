package cli

import (
	"fmt"

	"github.com/jsload/jsload/metrics/summary"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/engine"
)

// generatorOf is the engine's verdict for the summary; nil stays nil.
func generatorOf(g *engine.Generator) *summary.Generator {
	if g == nil {
		return nil
	}
	return &summary.Generator{
		Limit: string(g.Limit), Reason: g.Reason, CPU: g.CPU, CPUs: g.CPUs, GC: g.GC, Lag: g.Lag,
		Open: g.Open, StartDelay: g.StartDelay, Dropped: g.Dropped, Wire: g.Wire, SocketErrors: g.SocketErrors,
		Crowded: g.Crowded, Host: summary.Host(g.Host),
	}
}

// limited returns an error if the generator was the limit and the user wants that
// to be one. What else went wrong comes first.
func (s *session) limited(r engine.Result) error {
	g := r.Generator
	if !s.flags.failIfLimited || g == nil || g.Limit != engine.LimitGenerator {
		return nil
	}
	return &codedError{error: fmt.Errorf("the generator was the limit of this test: %s", g.Reason), code: vu.ExitLimited}
}
