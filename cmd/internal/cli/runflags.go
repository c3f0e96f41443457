package cli

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/metrics/summary"
)

// scriptFlags are the flags of every command that loads a script.
type scriptFlags struct {
	env           []string
	includeSystem bool
	compatibility string
	kind          string
	offline       bool
}

func (s *scriptFlags) register(f *pflag.FlagSet, includeSystem bool) {
	f.StringArrayVarP(&s.env, "env", "e", nil, "`NAME=VALUE` for the script's __ENV; repeatable")
	f.BoolVar(&s.includeSystem, "include-system-env-vars", includeSystem, "give the script the variables of the system too")
	f.StringVar(&s.compatibility, "compatibility-mode", "extended", "`mode` of the script: extended, or base without the global named global")
	f.StringVarP(&s.kind, "type", "t", "", "`kind` of the file: js or archive; without it the file tells")
	f.BoolVar(&s.offline, "offline", false, "take modules on https:// from the cache of earlier runs, and ask no server")
	noVariable(f, "env", "type")
}

// noVariable marks flags that no variable of the environment sets.
func noVariable(f *pflag.FlagSet, names ...string) {
	for _, name := range names {
		flag := f.Lookup(name)
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		flag.Annotations[annotationNoVariable] = nil
	}
}

// extended tells whether scripts get the global named global.
func (s *scriptFlags) extended() (bool, error) {
	switch s.compatibility {
	case "", "extended", "experimental_enhanced":
		return true, nil
	case "base":
		return false, nil
	}
	return false, fmt.Errorf("invalid compatibility mode %q; use extended or base", s.compatibility)
}

// checkKind refuses what is no kind of file.
func (s *scriptFlags) checkKind() error {
	switch js.Kind(s.kind) {
	case js.KindAuto, js.KindScript, js.KindArchive:
		return nil
	}
	return fmt.Errorf("invalid type %q of the file; use js or archive", s.kind)
}

// runFlags are the flags of run that are no options of the test.
type runFlags struct {
	scriptFlags
	options       optionFlags
	summaryMode   string
	summaryExport string
	machine       bool
	noThresholds  bool
	seed          seedValue
	withTarget    string
	failIfLimited bool
	excludeSetup  bool
	ignoreLimits  bool
	correction    correctionValue
}

func (r *runFlags) register(f *pflag.FlagSet) {
	r.options = optionFlags{}
	r.options.register(f)
	r.scriptFlags.register(f, true)
	f.StringVar(&r.summaryMode, "summary-mode", summary.Compact.String(), "`mode` of the summary: compact, full or disabled")
	f.StringVar(&r.summaryExport, "summary-export", "", "write the summary to this JSON `file` too")
	f.BoolVar(&r.machine, "new-machine-readable-summary", false, "the newer JSON form for --summary-export")
	f.BoolVar(&r.noThresholds, "no-thresholds", false, "do not judge thresholds")
	f.BoolVar(&r.failIfLimited, "fail-if-generator-limited", false, "end with exit code 111 if this machine, not the server, was the limit")
	f.BoolVar(&r.excludeSetup, "exclude-setup", false, "leave what setup() and teardown() do out of the summary's numbers and of thresholds")
	f.BoolVar(&r.ignoreLimits, "ignore-machine-limits", false, "start although the VUs need more memory, file descriptors or local ports than this machine has")
	f.Var(&r.correction, "latency-correction", "in closed loops, also show the times with the requests that slow answers held back, in a metric of their own: `expected=TIME` between the requests of a VU")
	f.Var(&r.seed, "seed", "fix every random source; without it a seed is chosen and printed")
	f.StringVar(&r.withTarget, "with-target", "", "start a target server of this `kind`, as a process of its own, and give the script its address as __ENV.TARGET; lean gives fixed answers at the least cost")
	f.Lookup("with-target").NoOptDefVal = targetRich
	for _, n := range notBuilt() {
		n.register(f)
	}
}

// The kinds of --with-target.
const (
	targetRich = "rich"
	targetLean = "lean"
)

// lean tells which target to start, and whether to start one at all.
func (r *runFlags) target() (start, lean bool, err error) {
	switch r.withTarget {
	case "", "false":
		return false, false, nil
	case targetRich, "true":
		return true, false, nil
	case targetLean:
		return true, true, nil
	}
	return false, false, fmt.Errorf("invalid value %q of --with-target; use it alone, or --with-target=lean", r.withTarget)
}

// seedValue is the flag --seed.
type seedValue struct {
	n   uint64
	set bool
}

// String implements pflag.Value.
func (s *seedValue) String() string {
	if !s.set {
		return ""
	}
	return strconv.FormatUint(s.n, 10)
}

// Type implements pflag.Value.
func (s *seedValue) Type() string { return "N" }

// Set implements pflag.Value.
func (s *seedValue) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number from 0 to %d", text, uint64(1<<64-1))
	}
	s.n, s.set = n, true
	return nil
}

// choose returns the seed, a new one if none was given. Chosen seeds are short,
// for people to type.
func (s *seedValue) choose() uint64 {
	if s.set {
		return s.n
	}
	var b [4]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 1
	}
	return uint64(binary.LittleEndian.Uint32(b[:]))
}

// missing is a flag of something that is not built yet: it is refused by name,
// never ignored.
type missing struct {
	name, short, why string
	// harmless is a value that asks for nothing.
	harmless string
	bare     bool // may stand without a value
}

func notBuilt() []*missing {
	return []*missing{
		{name: "traces-output", why: "traces are not built into this version of jsload yet", harmless: "none"},
	}
}

func (m *missing) register(f *pflag.FlagSet) {
	flag := f.VarPF(m, m.name, m.short, "not built yet: refused by name")
	flag.Hidden = true
	if m.bare {
		flag.NoOptDefVal = "true"
	}
}

// String implements pflag.Value.
func (m *missing) String() string { return "" }

// Type implements pflag.Value.
func (m *missing) Type() string { return "value" }

// Set implements pflag.Value.
func (m *missing) Set(text string) error {
	if text == m.harmless {
		return nil
	}
	return errors.New(m.why)
}
