package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/benchmarks/target"
)

// targetFlags are the flags of the target command.
type targetFlags struct {
	listen   string
	lean     bool
	tls      bool
	untilEOF bool
}

// flagUntilEOF makes a target end with the process that holds its standard
// input: whatever way that process ends, the target does not outlive it.
const flagUntilEOF = "until-eof"

func (a *app) targetCommand() *cobra.Command {
	var t targetFlags
	c := &cobra.Command{
		Use:   "target",
		Short: "Start a server to try load tests against",
		Long: `Start a deterministic HTTP server with bodies, delays and faults on request:

  /ok  /delay/{ms}?jitter=&seed=  /stall?ms=  /size/{n}  /status/{code}  /echo
  /login + /private  /gzip /deflate /br /zstd  /cookies  /redirect/{n}  /close
  /slow  /ws  /__target/count  /__target/stats

With --lean it serves /ok, /size/{n} and the two control routes only, at the
least possible cost, so that the load tester and not the server is the limit.

` + exitHelp(0),
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.target(t) },
	}
	f := c.Flags()
	f.StringVar(&t.listen, "listen", "127.0.0.1:8000", "`host:port` to listen on; port 0 picks a free one")
	f.BoolVar(&t.lean, "lean", false, "fixed answers at the least cost (Linux only)")
	f.BoolVar(&t.tls, "tls", false, "serve HTTPS with a certificate made at start")
	f.BoolVar(&t.untilEOF, flagUntilEOF, false, "end when standard input ends")
	_ = f.MarkHidden(flagUntilEOF)
	return c
}

func (a *app) target(t targetFlags) error {
	s, err := target.Start(target.Config{Listen: t.listen, Lean: t.lean, TLS: t.tls, Logger: a.logger()})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.process.Stdout, "%s%s\n", targetReady, s.URL())
	if err == nil {
		a.awaitEnd(t.untilEOF)
	}
	return errors.Join(err, s.Close())
}

// targetReady is the start of the line that a target prints when it listens; the
// rest of the line is its URL.
const targetReady = "target listening on "

// awaitEnd returns at a signal or, if asked for, at the end of standard input.
func (a *app) awaitEnd(untilEOF bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if a.process.Notify != nil {
		ch := make(chan os.Signal, 1)
		defer a.process.Notify(ch)()
		go func() {
			select {
			case <-ch:
				cancel()
			case <-ctx.Done():
			}
		}()
	}
	if untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, a.process.Stdin) // its error is its end too
			cancel()
		}()
	}
	<-ctx.Done()
}
