package options

import (
	"encoding/json"
	"errors"
	"net/netip"
	"slices"

	"github.com/jsload/jsload/vu/segment"
)

// uses says where an option may be set and in which forms of output it stands.
type uses int

const (
	useScript   uses = 1 << iota // in the script's options
	useFile                      // in the configuration file
	showInspect                  // Options.MarshalJSON
	showScript                   // Options.ScriptJSON
)

const (
	// inBoth may be set in the script and the file, and is shown everywhere.
	inBoth = useScript | useFile | showInspect | showScript
	// shortcut stands for a scenario, which a running script sees instead.
	shortcut = useScript | useFile | showInspect
	// ofProcess is about the process rather than the test.
	ofProcess = useFile
)

// entry is one option: its names, where it may be set, and what to do with it.
type entry struct {
	key  string   // in the script and the file
	env  []string // in the environment, without prefix
	flag Flag     // on the command line; no name: none
	uses uses
	field
}

// field does with one option what differs by its type.
type field interface {
	// decode sets it from a value of the script or the file, which is not null.
	decode(o *Options, d *decoder, path string, n node)
	// parse sets it from texts of the environment (one) or of flags.
	parse(o *Options, texts []string, g grammar) error
	// merge sets it in o if it is set in upper.
	merge(o, upper *Options)
	// value is what to print; nil leaves the option out.
	value(o *Options) any
}

// grammar is where a text comes from: durations and pairs differ.
type grammar int

const (
	envGrammar grammar = iota
	flagGrammar
)

// codec reads values of one type.
type codec[T any] struct {
	node func(d *decoder, path string, n node) (T, bool)
	text func(texts []string, g grammar) (T, error)
	// show replaces the value in output; nil shows it as it is.
	show func(T) any
}

// binding is the field of one nullable member of Options.
type binding[T any] struct {
	of func(*Options) *Null[T]
	codec[T]
}

func bind[T any](of func(*Options) *Null[T], c codec[T]) field { return binding[T]{of, c} }

func (b binding[T]) decode(o *Options, d *decoder, path string, n node) {
	if v, ok := b.node(d, path, n); ok {
		*b.of(o) = Some(v)
	}
}

func (b binding[T]) parse(o *Options, texts []string, g grammar) error {
	v, err := b.text(texts, g)
	if err == nil {
		*b.of(o) = Some(v)
	}
	return err
}

func (b binding[T]) merge(o, upper *Options) {
	if n := b.of(upper); n.Set {
		*b.of(o) = *n
	}
}

func (b binding[T]) value(o *Options) any {
	n := b.of(o)
	if n.Set && b.show != nil {
		return b.show(n.V)
	}
	return *n
}

// dnsField merges the members of DNS one by one.
type dnsField struct{}

func (dnsField) decode(o *Options, d *decoder, path string, n node) {
	if dns, ok := d.dns(path, n); ok {
		o.DNS = dns
	}
}

func (dnsField) parse(o *Options, texts []string, _ grammar) error {
	dns, err := ParseDNS(texts[len(texts)-1])
	if err == nil {
		o.DNS = dns
	}
	return err
}

func (dnsField) merge(o, upper *Options) {
	if upper.DNS.TTL.Set {
		o.DNS.TTL = upper.DNS.TTL
	}
	if upper.DNS.Select.Set {
		o.DNS.Select = upper.DNS.Select
	}
	if upper.DNS.Policy.Set {
		o.DNS.Policy = upper.DNS.Policy
	}
}

func (dnsField) value(o *Options) any { return o.DNS }

// opaque is the field of an option that is carried along as JSON.
type opaque struct {
	of func(*Options) *json.RawMessage
	// null prints null if it is unset, rather than nothing.
	null bool
}

func (f opaque) decode(o *Options, d *decoder, path string, n node) {
	raw, err := n.MarshalJSON()
	if err != nil {
		d.bad(path, "", "%v", err)
		return
	}
	*f.of(o) = raw
}

var errNoText = errors.New("cannot be set as text")

func (opaque) parse(*Options, []string, grammar) error { return errNoText }

func (f opaque) merge(o, upper *Options) {
	if raw := *f.of(upper); raw != nil {
		*f.of(o) = raw
	}
}

func (f opaque) value(o *Options) any {
	switch raw := *f.of(o); {
	case raw != nil:
		return raw
	case f.null:
		return Null[bool]{}
	default:
		return nil
	}
}

// collectorsField is the object of output configurations.
type collectorsField struct{}

func (collectorsField) decode(o *Options, d *decoder, path string, n node) {
	if n.kind != kindObject {
		d.bad(path, "", "must be an object, not %s", n.kind)
		return
	}
	o.Collectors = make(map[string]json.RawMessage, len(n.keys))
	for i, key := range n.keys {
		if raw, err := n.items[i].MarshalJSON(); err == nil {
			o.Collectors[key] = raw
		}
	}
}

func (collectorsField) parse(*Options, []string, grammar) error { return errNoText }

func (collectorsField) merge(o, upper *Options) {
	if upper.Collectors != nil {
		o.Collectors = upper.Collectors
	}
}

func (collectorsField) value(*Options) any { return nil }

// entries is the list of all options, in the order they print.
func entries() []entry {
	return slices.Concat(loadEntries(), phaseEntries(), requestEntries(), networkEntries(), resultEntries(), processEntries())
}

func loadEntries() []entry {
	return []entry{
		{"paused", env("PAUSED"), Flag{Name: "paused", Short: "p", Bool: true, Usage: "wait for resume before starting"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.Paused }, booleans())},
		{"vus", env("VUS"), Flag{Name: "vus", Short: "u", Value: "N", Usage: "number of virtual users"}, shortcut,
			bind(func(o *Options) *Null[int64] { return &o.VUs }, integers(noRule))},
		{"duration", env("DURATION"), Flag{Name: "duration", Short: "d", Value: "TIME", Usage: "how long to run"}, shortcut,
			bind(func(o *Options) *Null[Duration] { return &o.Duration }, durations(noRule))},
		{"iterations", env("ITERATIONS"), Flag{Name: "iterations", Short: "i", Value: "N", Usage: "iterations shared by all virtual users"}, shortcut,
			bind(func(o *Options) *Null[int64] { return &o.Iterations }, integers(noRule))},
		{"stages", env("STAGES"), Flag{Name: "stage", Short: "s", Value: "TIME:N", List: true, Usage: "ramp to N virtual users within TIME; repeatable"}, shortcut,
			bind(func(o *Options) *Null[[]Stage] { return &o.Stages }, stageLists())},
		{"rate", env("RATE"), Flag{Name: "rate", Value: "N", Usage: "iterations to start per second; needs --duration"}, 0,
			bind(func(o *Options) *Null[int64] { return &o.Rate }, integers(noRule))},
		{"scenarios", nil, Flag{}, inBoth,
			bind(func(o *Options) *Null[[]Scenario] { return &o.Scenarios }, codec[[]Scenario]{
				node: (*decoder).scenarios, text: jsonText((*decoder).scenarios), show: func(s []Scenario) any { return scenarioMap(s) }})},
		{"executionSegment", env("EXECUTION_SEGMENT"), Flag{Name: "execution-segment", Value: "FROM:TO", Usage: "part of the test to run here, such as 0:1/3"}, inBoth,
			bind(func(o *Options) *Null[segment.Segment] { return &o.ExecutionSegment }, oneText(segment.Parse))},
		{"executionSegmentSequence", env("EXECUTION_SEGMENT_SEQUENCE"), Flag{Name: "execution-segment-sequence", Value: "LIST", Usage: "where all instances cut the test, such as 0,1/3,2/3,1"}, inBoth,
			bind(func(o *Options) *Null[segment.Sequence] { return &o.ExecutionSegmentSequence }, oneText(segment.ParseSequence))},
	}
}

func phaseEntries() []entry {
	return []entry{
		{"noSetup", env("NO_SETUP"), Flag{Name: "no-setup", Bool: true, Usage: "do not run setup()"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.NoSetup }, booleans())},
		{"setupTimeout", env("SETUP_TIMEOUT"), Flag{}, inBoth,
			bind(func(o *Options) *Null[Duration] { return &o.SetupTimeout }, durations(positiveRule))},
		{"noTeardown", env("NO_TEARDOWN"), Flag{Name: "no-teardown", Bool: true, Usage: "do not run teardown()"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.NoTeardown }, booleans())},
		{"teardownTimeout", env("TEARDOWN_TIMEOUT"), Flag{}, inBoth,
			bind(func(o *Options) *Null[Duration] { return &o.TeardownTimeout }, durations(positiveRule))},
		{"handleSummaryTimeout", env("HANDLE_SUMMARY_TIMEOUT"), Flag{}, inBoth,
			bind(func(o *Options) *Null[Duration] { return &o.HandleSummaryTimeout }, durations(positiveRule))},
		{"minIterationDuration", env("MIN_ITERATION_DURATION"), Flag{Name: "min-iteration-duration", Value: "TIME", Usage: "least time an iteration takes"}, inBoth,
			bind(func(o *Options) *Null[Duration] { return &o.MinIterationDuration }, durations(notNegativeRule))},
	}
}

func requestEntries() []entry {
	return []entry{
		{"rps", env("RPS"), Flag{Name: "rps", Value: "N", Usage: "most requests per second, over all virtual users; 0: no limit"}, inBoth,
			bind(func(o *Options) *Null[int64] { return &o.RPS }, integers(notNegativeRule))},
		{"maxRedirects", env("MAX_REDIRECTS"), Flag{Name: "max-redirects", Value: "N", Usage: "most redirects to follow"}, inBoth,
			bind(func(o *Options) *Null[int64] { return &o.MaxRedirects }, integers(notNegativeRule))},
		{"userAgent", env("USER_AGENT"), Flag{Name: "user-agent", Value: "TEXT", Usage: "User-Agent header; empty: none"}, inBoth,
			bind(func(o *Options) *Null[string] { return &o.UserAgent }, texts())},
		{"batch", env("BATCH"), Flag{Name: "batch", Value: "N", Usage: "most requests of a batch at once"}, inBoth,
			bind(func(o *Options) *Null[int64] { return &o.Batch }, integers(notNegativeRule))},
		{"batchPerHost", env("BATCH_PER_HOST"), Flag{Name: "batch-per-host", Value: "N", Usage: "most requests of a batch at once to one host"}, inBoth,
			bind(func(o *Options) *Null[int64] { return &o.BatchPerHost }, integers(notNegativeRule))},
		{"httpDebug", env("HTTP_DEBUG"), Flag{Name: "http-debug", Value: "WHAT", Bare: "headers", Usage: "log requests and responses; full: with bodies"}, inBoth,
			bind(func(o *Options) *Null[string] { return &o.HTTPDebug }, texts())},
		{"throw", env("THROW"), Flag{Name: "throw", Short: "w", Bool: true, Usage: "failed requests throw"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.Throw }, booleans())},
		{"discardResponseBodies", env("DISCARD_RESPONSE_BODIES"), Flag{Name: "discard-response-bodies", Bool: true, Usage: "do not keep response bodies unless a request asks for it"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.DiscardResponseBodies }, booleans())},
		{"http", env("HTTP"), Flag{Name: "http", Value: "VERSION", Usage: "HTTP version: 1.1, 2 (without TLS too), or auto"}, useScript | useFile,
			bind(func(o *Options) *Null[string] { return &o.HTTP }, oneText(parseHTTPVersion))},
		{"noConnectionReuse", env("NO_CONNECTION_REUSE"), Flag{Name: "no-connection-reuse", Bool: true, Usage: "a new connection for every request"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.NoConnectionReuse }, booleans())},
		{"noVUConnectionReuse", env("NO_VU_CONNECTION_REUSE"), Flag{Name: "no-vu-connection-reuse", Bool: true, Usage: "close connections after each iteration"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.NoVUConnectionReuse }, booleans())},
		{"noCookiesReset", env("NO_COOKIES_RESET"), Flag{}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.NoCookiesReset }, booleans())},
	}
}

func networkEntries() []entry {
	return []entry{
		{"insecureSkipTLSVerify", env("INSECURE_SKIP_TLS_VERIFY"), Flag{Name: "insecure-skip-tls-verify", Bool: true, Usage: "accept any TLS certificate"}, inBoth,
			bind(func(o *Options) *Null[bool] { return &o.InsecureSkipTLSVerify }, booleans())},
		{"tlsCipherSuites", env("TLS_CIPHER_SUITES"), Flag{}, inBoth,
			bind(func(o *Options) *Null[[]CipherSuite] { return &o.TLSCipherSuites }, textList(parseCipherSuite))},
		{"tlsVersion", env("TLS_VERSION"), Flag{}, inBoth,
			bind(func(o *Options) *Null[TLSVersions] { return &o.TLSVersion }, codec[TLSVersions]{
				node: (*decoder).tlsVersions, text: jsonOrText((*decoder).tlsVersions, parseTLSVersions)})},
		{"tlsAuth", env("TLSAUTH", "TLS_AUTH"), Flag{}, inBoth,
			bind(func(o *Options) *Null[[]ClientCertificate] { return &o.TLSAuth }, codec[[]ClientCertificate]{
				node: (*decoder).clientCertificates, text: jsonText((*decoder).clientCertificates)})},
		{"hosts", env("HOSTS"), Flag{}, inBoth,
			bind(func(o *Options) *Null[[]HostMapping] { return &o.Hosts }, codec[[]HostMapping]{
				node: (*decoder).hosts, text: jsonText((*decoder).hosts), show: func(m []HostMapping) any { return hostMap(m) }})},
		{"blockHostnames", env("BLOCK_HOSTNAMES"), Flag{Name: "block-hostnames", Value: "NAMES", List: true, Usage: "host names to refuse; may begin with *"}, inBoth,
			bind(func(o *Options) *Null[[]string] { return &o.BlockHostnames }, textList(parseHostname))},
		{"blacklistIPs", env("BLACKLIST_IPS", "BLACKLIST_IP"), Flag{Name: "blacklist-ip", Value: "NETS", List: true, Usage: "networks to refuse, such as 10.0.0.0/8"}, inBoth,
			bind(func(o *Options) *Null[[]netip.Prefix] { return &o.BlacklistIPs }, textList(parseNetwork))},
		{"dns", env("DNS"), Flag{Name: "dns", Value: "SPEC", Usage: "ttl=5m,select=random,policy=preferIPv4"}, inBoth, dnsField{}},
		{"localIPs", env("LOCAL_IPS"), Flag{Name: "local-ips", Value: "IPS", Usage: "local addresses, ranges or networks to connect from"}, showScript,
			bind(func(o *Options) *Null[LocalIPs] { return &o.LocalIPs }, oneText(ParseLocalIPs))},
	}
}

func resultEntries() []entry {
	return []entry{
		{"thresholds", env("THRESHOLDS"), Flag{}, inBoth,
			bind(func(o *Options) *Null[[]MetricThresholds] { return &o.Thresholds }, codec[[]MetricThresholds]{
				node: (*decoder).thresholds, text: jsonText((*decoder).thresholds), show: func(t []MetricThresholds) any { return thresholdMap(t) }})},
		{"summaryTrendStats", env("SUMMARY_TREND_STATS"), Flag{Name: "summary-trend-stats", Value: "LIST", List: true, Usage: "columns of trends, such as avg,min,p(99.9),count"}, inBoth,
			bind(func(o *Options) *Null[[]string] { return &o.SummaryTrendStats }, trendStats())},
		{"summaryTimeUnit", env("SUMMARY_TIME_UNIT"), Flag{Name: "summary-time-unit", Value: "UNIT", Usage: "s, ms or us"}, inBoth,
			bind(func(o *Options) *Null[string] { return &o.SummaryTimeUnit }, oneText(parseTimeUnit))},
		{"systemTags", env("SYSTEM_TAGS"), Flag{Name: "system-tags", Value: "LIST", List: true, Usage: "system tags that samples carry"}, inBoth,
			bind(func(o *Options) *Null[[]string] { return &o.SystemTags }, systemTags())},
		{"tags", env("TAGS"), Flag{Name: "tag", Value: "K=V", List: true, Usage: "tag on every sample; repeatable"}, inBoth,
			bind(func(o *Options) *Null[map[string]string] { return &o.Tags }, codec[map[string]string]{
				node: (*decoder).stringMap, text: parseTags})},
		{"metricSamplesBufferSize", env("METRIC_SAMPLES_BUFFER_SIZE"), Flag{}, inBoth,
			bind(func(o *Options) *Null[int64] { return &o.MetricSamplesBufferSize }, integers(notNegativeRule))},
		{"consoleOutput", env("CONSOLE_OUTPUT"), Flag{Name: "console-output", Value: "FILE", Usage: "file for the script's console"}, showScript,
			bind(func(o *Options) *Null[string] { return &o.ConsoleOutput }, texts())},
		{"ext", nil, Flag{}, inBoth, opaque{func(o *Options) *json.RawMessage { return &o.Ext }, true}},
		{"cloud", nil, Flag{}, inBoth, opaque{func(o *Options) *json.RawMessage { return &o.Cloud }, false}},
		{"features", env("FEATURES"), Flag{Name: "features", Value: "LIST", List: true, Usage: "feature flags"}, useFile | showInspect | showScript,
			bind(func(o *Options) *Null[[]string] { return &o.Features }, textList(anyText))},
	}
}

func processEntries() []entry {
	return []entry{
		{"out", env("OUT"), Flag{Name: "out", Short: "o", Value: "KIND[=ARG]", List: true, Usage: "output for results while the test runs; repeatable"}, ofProcess,
			bind(func(o *Options) *Null[[]string] { return &o.Out }, outputs())},
		{"linger", env("LINGER"), Flag{Name: "linger", Short: "l", Bool: true, Usage: "stay after the end until interrupted"}, ofProcess,
			bind(func(o *Options) *Null[bool] { return &o.Linger }, booleans())},
		{"noUsageReport", env("NO_USAGE_REPORT"), Flag{Name: "no-usage-report", Bool: true, Usage: "accepted for compatibility: nothing is ever reported"}, ofProcess,
			bind(func(o *Options) *Null[bool] { return &o.NoUsageReport }, booleans())},
		{"webDashboard", nil, Flag{}, ofProcess, opaque{func(o *Options) *json.RawMessage { return &o.WebDashboard }, false}},
		{"collectors", nil, Flag{}, ofProcess, collectorsField{}},
	}
}

func env(names ...string) []string { return names }
