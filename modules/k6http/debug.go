package k6http

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/options"
)

// debugs tells whether the option httpDebug asks for the exchanges to be logged.
func debugs(o *options.Options) bool { return o.HTTPDebug.V != "" && o.HTTPDebug.V != "false" }

// dumper logs the exchanges of one call as the protocol shows them: redirects and
// rounds of authentication each for itself, bodies if full is true. It is called
// on the goroutine that makes the request.
func (i *instance) dumper(full bool) func(*proto.Request, *proto.Response) {
	vu := i.host.VU
	attrs := []any{
		slog.Uint64("vu", vu.ID.InTest), slog.Uint64("iter", vu.IterationInInstance), slog.String("source", "http-debug"),
	}
	for _, key := range [...]string{metrics.TagScenario.String(), metrics.TagGroup.String()} {
		if v, ok := vu.Record.Tags().Get(key); ok && v != "" {
			attrs = append(attrs, slog.String(key, v))
		}
	}
	log := i.host.Run.Log
	return func(req *proto.Request, resp *proto.Response) {
		l := log.With(append(slices.Clip(attrs), slog.String("request_id", requestID()))...)
		l.Info(fmt.Sprintf("Request:\n%s\n", client.DumpRequest(req, full)))
		if dump := client.DumpResponse(resp, full); len(dump) > 0 {
			l.Info(fmt.Sprintf("Response:\n%s\n", dump))
		}
		if resp.Err != nil {
			l.LogAttrs(context.Background(), slog.LevelInfo, "No response: "+resp.Err.Text)
		}
	}
}

// requestID is a random UUID. It takes nothing from the sources that a seed fixes:
// looking at requests must not change them.
func requestID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails since Go 1.24
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
