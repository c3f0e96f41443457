// Package options holds the options of a test as Go values: it decodes them
// from the script, the configuration file, the environment and the command
// line, lays these layers over one another, derives the scenarios, and reports
// everything that is wrong at once.
//
// js.Load merges the layers once and everything after it reads the result;
// cmd takes flag definitions and texts from here. It calls vu/segment. It does
// not read files or the process's environment, run anything, or judge threshold
// expressions and the names of metrics.
package options

import (
	"encoding/json"
	"net/netip"

	"github.com/jsload/jsload/vu/segment"
)

// Options are the options of one layer, or of all layers merged. An unset
// option means what its comment says.
type Options struct {
	// The load. Once merged, Scenarios is always set and says all of it; the
	// others remain as the user gave them.
	VUs        Null[int64]
	Duration   Null[Duration]
	Iterations Null[int64]
	Stages     Null[[]Stage]
	Scenarios  Null[[]Scenario] // in the order of the document
	// Rate is a constant arrival rate per second for Duration; a shortcut of
	// the command line and the environment only.
	Rate Null[int64]

	// ExecutionSegment is the part of the test this instance runs: unset the
	// whole. ExecutionSegmentSequence is where all instances cut it: unset, the
	// segment alone decides.
	ExecutionSegment         Null[segment.Segment]
	ExecutionSegmentSequence Null[segment.Sequence]

	// Phases of the run. Unset means false, 60 s, 60 s, 120 s.
	Paused               Null[bool]
	NoSetup              Null[bool]
	NoTeardown           Null[bool]
	SetupTimeout         Null[Duration]
	TeardownTimeout      Null[Duration]
	HandleSummaryTimeout Null[Duration]

	// Iterations and requests. Unset means no minimum, no limit, the product's
	// own user agent, 10 redirects, 20 and 6 requests of a batch at once (0:
	// no limit), false.
	MinIterationDuration  Null[Duration]
	RPS                   Null[int64]
	UserAgent             Null[string] // set and empty: no User-Agent header
	MaxRedirects          Null[int64]
	Batch                 Null[int64]
	BatchPerHost          Null[int64]
	Throw                 Null[bool]
	HTTPDebug             Null[string] // "full" shows bodies too, anything else headers
	DiscardResponseBodies Null[bool]
	// HTTP is the version to speak: "auto", "1.1" or "2".
	HTTP                Null[string]
	NoConnectionReuse   Null[bool]
	NoVUConnectionReuse Null[bool]
	NoCookiesReset      Null[bool]

	// The network. Unset means no restriction, no mapping.
	InsecureSkipTLSVerify Null[bool]
	TLSVersion            Null[TLSVersions]
	TLSCipherSuites       Null[[]CipherSuite]
	TLSAuth               Null[[]ClientCertificate]
	Hosts                 Null[[]HostMapping]
	BlockHostnames        Null[[]string] // names, or patterns that begin with "*"
	BlacklistIPs          Null[[]netip.Prefix]
	DNS                   DNS
	LocalIPs              Null[LocalIPs]

	// Results. Unset means no thresholds, no tags, DefaultSystemTags,
	// DefaultTrendStats, a unit chosen per value, 1000 samples.
	Thresholds              Null[[]MetricThresholds] // in the order of the document
	Tags                    Null[map[string]string]
	SystemTags              Null[[]string]
	SummaryTrendStats       Null[[]string]
	SummaryTimeUnit         Null[string] // "s", "ms" or "us"
	MetricSamplesBufferSize Null[int64]
	ConsoleOutput           Null[string] // file for the script's console; unset: the log

	// Ext and Cloud belong to other tools and are carried along as JSON; nil
	// means unset.
	Ext   json.RawMessage
	Cloud json.RawMessage
	// Features are names of feature flags, from the configuration file only.
	Features Null[[]string]

	// The process rather than the test: configuration file, environment and
	// command line only, and not part of the options a script sees.
	Out           Null[[]string]
	Linger        Null[bool]
	NoUsageReport Null[bool]
	WebDashboard  json.RawMessage
	Collectors    map[string]json.RawMessage // configuration of outputs by kind
}

// DefaultSystemTags returns the system tags of a test that names none, sorted.
func DefaultSystemTags() []string {
	return []string{
		"check", "error", "error_code", "expected_response", "group", "method", "name",
		"proto", "scenario", "service", "status", "subproto", "tls_version", "url",
	}
}

// DefaultTrendStats returns the trend columns of a summary that names none.
func DefaultTrendStats() []string {
	return []string{"avg", "min", "med", "max", "p(90)", "p(95)"}
}

// Layer is the options of one source, with what was found while decoding them.
type Layer struct {
	// Name is one of the Layer names below; warnings show it.
	Name    string
	Options Options
	// Warnings do not stop the test.
	Warnings []Problem
	// Problems do; Merge reports them together with those it finds itself.
	Problems Problems
}

// Names of layers, lowest first.
const (
	LayerFile   = "file"
	LayerScript = "script"
	LayerEnv    = "env"
	LayerFlags  = "cli"
)

// Err returns the layer's problems as an error, or nil if there are none.
func (l Layer) Err() error { return l.Problems.Err() }
