// Hot path: recording a request that went well allocates nothing.

// Package outcome is what follows from an HTTP call of a script in either tier: which
// statuses are expected, how the samples are made, how a failure is worded and logged.
//
// modules/k6http and vu/native call it after vu/client has made the exchanges; it
// writes through vu/record.
package outcome

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/record"
)

// Statuses judges responses by their status. A nil *Statuses judges none.
type Statuses struct{ Ranges []Range }

// Range is a range of statuses, both ends included.
type Range struct{ Min, Max int }

// Default is what counts as expected unless a script says otherwise.
func Default() *Statuses { return &Statuses{Ranges: []Range{{200, 399}}} }

// Judge tells what s says of an exchange. The 401 that a digest answers is expected.
func (s *Statuses) Judge(x *proto.Exchange) record.Expectation {
	if s == nil {
		return record.Unjudged
	}
	if x.Challenge {
		return record.Expected
	}
	for _, r := range s.Ranges {
		if x.Status >= r.Min && x.Status <= r.Max {
			return record.Expected
		}
	}
	return record.Unexpected
}

// Call is what a script said about a call beside the request itself.
type Call struct {
	// Site is the place of the call, nil to have one found.
	Site *record.Site
	// Name is the name tag, empty if none was given; Tags are the others.
	Name     string
	Tags     []metrics.Tag
	Statuses *Statuses
}

// Record makes a sample of each exchange of a call and logs a failure. limited tells
// that the options set a limit of redirects.
func Record(v *record.VU, log *slog.Logger, req *client.Request, resp *client.Response, c *Call, limited bool) {
	q := record.Request{Name: c.Name, Tags: c.Tags}
	for n := range resp.Exchanges {
		x := &resp.Exchanges[n]
		q.Expected = c.Statuses.Judge(x)
		q.URL = ""
		if n == 0 {
			q.URL = withFragment(x.URL, req.URL)
		}
		v.HTTP(c.Site, x, &q)
	}
	if resp.Err != nil {
		Warn(log, Failure(req, resp))
	}
	if resp.RedirectLimit && req.Redirects == 0 && !limited {
		log.Warn(fmt.Sprintf("stopped after 10 redirects and returned the last one (%s); set maxRedirects to follow more, or to 10 to silence this", resp.URL))
	}
}

// withFragment is the address that tags show for the first exchange: with the
// fragment that the script wrote.
func withFragment(masked, written string) string {
	if _, fragment, ok := strings.Cut(written, "#"); ok {
		return masked + "#" + fragment
	}
	return ""
}

// Warn logs that a request failed.
func Warn(log *slog.Logger, err error) {
	log.LogAttrs(context.Background(), slog.LevelWarn, "Request Failed", slog.String("error", err.Error()))
}

// Failure is the error of a call that failed, as logs and exceptions show it: method,
// address and what the network said. It wraps the *proto.Error.
func Failure(req *client.Request, resp *client.Response) error {
	err := resp.Err
	text := err.Text
	if err.Cause != nil && err.Code != proto.CodeTimeout && !errors.Is(err.Cause, proto.ErrInterrupted) {
		text = err.Cause.Error()
	}
	method := req.Method
	if last := len(resp.Exchanges) - 1; last >= 0 {
		method = resp.Exchanges[last].Method
	}
	return &failure{text: fmt.Sprintf("%s %q: %s", titled(method), CleanURL(resp.URL), text), cause: err}
}

type failure struct {
	text  string
	cause error
}

// Error gives the text.
func (f *failure) Error() string { return f.text }

// Unwrap gives the *proto.Error.
func (f *failure) Unwrap() error { return f.cause }

// titled writes a method as error texts do: "Get", "Post".
func titled(method string) string {
	if method == "" {
		return "Get"
	}
	return method[:1] + strings.ToLower(method[1:])
}

// CleanURL hides the credentials of an address.
func CleanURL(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		return scheme + "://****:****" + rest[at:]
	}
	return address
}

// ErrSwitch is the exception for an answer that switches the protocol.
var ErrSwitch = errors.New("the server switched protocols (status 101), which k6/http does not follow: for WebSockets use k6/websockets")
