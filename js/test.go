package js

import (
	"context"
	"strings"
	"time"

	"github.com/jsload/jsload/js/internal/script"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/record"
)

// Binding is what a run provides to its scripts.
type Binding struct {
	// Recorder writes the samples.
	Recorder *record.Recorder
	// Stats reads the live counters of the run.
	Stats func() modules.Stats
	// Abort stops the test, MarkFailed makes it end with a failure.
	Abort      func(*vu.Abort)
	MarkFailed func(message string)
}

// Bind connects the test to a run. It is called once, before NewUnit, Setup,
// Teardown and HandleSummary.
func (t *Test) Bind(b Binding) error {
	t.run.Recorder = b.Recorder
	t.run.Stats, t.run.Abort, t.run.MarkFailed = b.Stats, b.Abort, b.MarkFailed
	t.run.Options = &t.Options
	network, err := t.network()
	if err != nil {
		return &exitError{vu.ExitConfig, err}
	}
	t.net = client.NewNetwork(network)
	t.run.Throttle = newThrottle(t.Options.RPS.Or(0))
	t.factory = &script.Factory{
		Program:   t.program,
		Run:       t.run,
		NewClient: t.net.Client,
		Data:      &script.Data{},
		Journal:   &vu.Journal{Log: t.run.Log},
	}
	return nil
}

// Close ends what the test shares. No virtual user may be left.
func (t *Test) Close() {
	if t.net != nil {
		t.net.Close()
	}
}

// Connects reports whether the script imports a module that opens connections.
func (t *Test) Connects() bool {
	for _, used := range t.bundle.Builtins {
		switch strings.TrimPrefix(strings.TrimPrefix(used.Path, "k6/"), "jsload/") {
		case "http", "ws", "websockets", "net/grpc", "experimental/websockets":
			return true
		}
	}
	return false
}

// Retries counts the requests that were sent again because an idle connection
// had died.
func (t *Test) Retries() int64 { return t.net.Retries() }

// NewUnit makes a virtual user.
func (t *Test) NewUnit(ctx context.Context, id vu.ID) (vu.Unit, error) {
	return t.factory.NewUnit(ctx, id)
}

// Setup runs the script's setup, unless the options say noSetup.
func (t *Test) Setup(ctx context.Context) error { return t.factory.Setup(ctx) }

// Teardown runs the script's teardown.
func (t *Test) Teardown(ctx context.Context) error { return t.factory.Teardown(ctx) }

// SetupData is what setup returned, as JSON; nil for nothing. SetSetupData
// replaces it.
func (t *Test) SetupData() []byte { return t.factory.Data.JSON() }

// SetSetupData replaces what setup returned; nil means nothing.
func (t *Test) SetSetupData(json []byte) { t.factory.Data.Set(json) }

// HasExport reports whether the main module exports a name.
func (t *Test) HasExport(name string) bool {
	for _, n := range t.Exports {
		if n == name {
			return true
		}
	}
	return false
}

// SummaryFiles is what handleSummary returned: where to write what, in the
// script's order.
type SummaryFiles = script.SummaryResult

// SummaryError says that what handleSummary returned cannot be written: then
// nothing is.
type SummaryError = script.SummaryError

// HandleSummary calls the script's handleSummary with data, the JSON of the
// summary. The result is nil if there is no such function or it returned
// nothing: then the default summary is due.
func (t *Test) HandleSummary(ctx context.Context, data string) (*SummaryFiles, error) {
	return t.factory.HandleSummary(ctx, data, t.SummaryTimeout())
}

// SummaryTimeout is how long handleSummary may take.
func (t *Test) SummaryTimeout() time.Duration {
	if limit := t.Options.HandleSummaryTimeout.V.Std(); limit > 0 {
		return limit
	}
	return 2 * time.Minute
}

// Thrown returns how many iterations ended with an exception, and the first.
func (t *Test) Thrown() (n uint64, first string) { return t.factory.Journal.Thrown() }
