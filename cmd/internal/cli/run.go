package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/term"
	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/output/all"
	"github.com/jsload/jsload/metrics/summary"
	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/engine"
	"github.com/jsload/jsload/vu/record"
	"github.com/jsload/jsload/vu/segment"
)

func (a *app) runCommand() *cobra.Command {
	r := &runFlags{}
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run a test",
		Long: `Run the test in FILE, or in standard input for -, and print a summary.

Options come, lowest first, from the configuration file, the script, the
variables JSLOAD_X and K6_X, and the flags.

` + exitHelp(0, vu.ExitThresholds, vu.ExitSetupTimeout, vu.ExitTeardownTimeout, vu.ExitStoppedByAPI, vu.ExitConfig,
			vu.ExitSignal, vu.ExitAPIBind, vu.ExitScript, vu.ExitAborted, vu.ExitPanic, vu.ExitMarkedFailed, vu.ExitLimited),
		Example: `  jsload run script.js
  jsload run --vus 256 --duration 30s script.ts
  jsload run --with-target --out json=results.json script.js
  jsload run --stage 10s:50 --stage 1m:50 --stage 10s:0 -e BASE=https://test.example script.js`,
		Args: oneScript,
		RunE: func(_ *cobra.Command, args []string) error { return a.runTest(r, args[0]) },
	}
	r.register(c.Flags())
	return c
}

// oneScript demands exactly one argument.
func oneScript(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return fmt.Errorf("%s needs exactly one script, a file or - for standard input, and got %d", c.CommandPath(), len(args))
}

// session is one call of run: what it works with, from the flags to the end.
type session struct {
	app   *app
	flags *runFlags
	path  string // of the script, as given

	summary summary.Options
	seed    uint64
	epoch   metrics.Epoch
	target  *targetProcess

	test       *js.Test
	store      *metrics.Store
	recorder   *record.Recorder
	thresholds *threshold.Set
	sinks      []output.Sink
	live       *engine.Live
	// lingers tells that the test has ended and waits for a signal.
	lingers atomic.Bool
}

// runTest runs a test from its flags to its exit code.
func (a *app) runTest(r *runFlags, path string) (err error) {
	s := &session{app: a, flags: r, path: path, seed: r.seed.choose(), live: engine.NewLive(), epoch: metrics.NewEpoch(time.Now())}
	if s.summary.Mode, err = summary.ParseMode(r.summaryMode); err != nil {
		return err
	}
	if err := r.checkKind(); err != nil {
		return err
	}
	ctx, force, stop := a.interruptibleTwice(s.notice)
	defer stop()
	if err := s.startTarget(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.target.stop()) }()
	mem := newMemory(a.process.Vars)
	mem.loading()
	if err := s.load(ctx); err != nil {
		return err
	}
	defer s.test.Close()
	if err := s.prepare(); err != nil {
		return err
	}
	stopServing, err := s.serve()
	if err != nil {
		return err
	}
	defer stopServing()
	if err := s.introduce(); err != nil {
		return err
	}
	mem.running()
	stopGuard := mem.start(s.live.Abort)
	result := s.run(ctx, force)
	stopGuard()
	end := s.conclude(ctx, force, result)
	s.linger(ctx)
	return end
}

// conclude writes the summary and returns why the test did not end well.
func (s *session) conclude(ctx, force context.Context, result engine.Result) error {
	s.mentionThrown()
	end := ending(result)
	if end == nil || exitCode(end) == vu.ExitOther {
		end = errors.Join(s.limited(result), end)
	}
	if err := s.report(force, result); err != nil {
		end = errors.Join(end, err)
	}
	if end == nil {
		end = context.Cause(ctx) // a signal that came while the summary was written
	}
	return end
}

// mentionThrown tells how many iterations threw: of many, most lines were held
// back.
func (s *session) mentionThrown() {
	n, first := s.test.Thrown()
	switch {
	case n == 1:
		s.app.logger().Warn("1 iteration threw: " + first)
	case n > 1:
		s.app.logger().Warn(fmt.Sprintf("%s iterations threw; first: %s", term.Count(n), first))
	}
}

// notice is what a user is told at the first signal: what is done before the end.
// While the script is loaded that is nothing.
func (s *session) notice() string {
	const again = "; signal again to end at once"
	switch status := s.live.Status(); {
	case status == engine.StatusCreated, s.lingers.Load():
		return ""
	case status < engine.StatusSetup:
		return "stopping the test before it begins" + again
	case status == engine.StatusSetup:
		return "stopping setup" + again
	case status == engine.StatusTeardown:
		return "finishing teardown" + again
	case status > engine.StatusTeardown:
		return "finishing the summary" + again
	}
	return "stopping the test; teardown and the summary follow" + again
}

// ending turns a result into the error that the process ends with.
func ending(r engine.Result) error {
	switch {
	case r.Err != nil:
		return &codedError{error: r.Err, code: r.Code}
	case r.Code != 0:
		return &reported{&codedError{error: errors.New("the test was marked as failed"), code: r.Code}}
	}
	return nil
}

func (s *session) startTarget(ctx context.Context) error {
	start, lean, err := s.flags.target()
	if err != nil || !start {
		return err
	}
	s.target, err = s.app.startTarget(ctx, lean)
	return err
}

// load reads the options of all layers but the script's, and the script.
func (s *session) load(ctx context.Context) error {
	cfg, err := s.app.layered(s.flags, s.path)
	if err != nil {
		return err
	}
	if s.target != nil {
		cfg.Env["TARGET"] = s.target.url
	}
	cfg.Seed, cfg.SeedFixed, cfg.Epoch = s.seed, s.flags.seed.set, s.epoch
	s.test, err = s.app.load(ctx, cfg)
	return err
}

// prepare makes what measures and judges the test and takes its results.
func (s *session) prepare() error {
	o := &s.test.Options
	if err := refuse(o); err != nil {
		return err
	}
	s.app.mentionOptions(o)
	if err := s.summaryOptions(); err != nil {
		return err
	}
	tags := metrics.ParseSystemTags(o.SystemTags.V)
	s.store = metrics.NewStore(metrics.Config{
		Registry: s.test.Metrics, Epoch: s.epoch, SystemTags: tags, Scopes: s.summary.Mode == summary.Full,
	})
	s.recorder = record.New(record.Config{Store: s.store, SystemTags: tags, RunTags: o.Tags.V, StagesAside: s.flags.excludeSetup, Expected: s.flags.correction.expected})
	if err := s.bindThresholds(); err != nil {
		return err
	}
	for _, spec := range o.Out.V {
		sink, err := all.Registry().New(spec, output.Params{Setting: s.outputSetting(spec), Stdout: s.app.process.Stdout})
		if err != nil {
			return err
		}
		s.sinks = append(s.sinks, sink)
	}
	if err := s.refuseConflicts(); err != nil {
		return err
	}
	return s.test.Bind(js.Binding{
		Recorder:   s.recorder,
		Stats:      s.stats,
		Abort:      s.live.Abort,
		MarkFailed: func(message string) { s.app.logger().Error("test marked as failed: " + message); s.live.Fail() },
	})
}

// stats are the live counters that scripts read.
func (s *session) stats() modules.Stats {
	return modules.Stats{
		Elapsed:     s.live.Elapsed(),
		Complete:    uint64(s.live.IterationsCompleted()),
		Interrupted: uint64(s.live.IterationsInterrupted()),
		VUsActive:   int(s.live.VUsActive()),
		VUsPrepared: int(s.live.VUsInitialized()),
	}
}

func (s *session) summaryOptions() error {
	o := &s.test.Options
	stats, err := summary.ParseTrendStats(o.SummaryTrendStats.V)
	if err != nil {
		return err
	}
	unit, err := summary.ParseTimeUnit(o.SummaryTimeUnit.V)
	if err != nil {
		return err
	}
	s.summary.TrendStats, s.summary.TimeUnit = stats, unit
	s.summary.SetupAside = s.flags.excludeSetup
	s.summary.NoColor = s.app.global.colourless(s.app.process)
	return nil
}

// bindThresholds parses the thresholds and finds their metrics. Without
// thresholds an unknown metric is no more than a warning.
func (s *session) bindThresholds() error {
	definitions := map[string][]threshold.Definition{}
	for _, m := range s.test.Options.Thresholds.V {
		list := []threshold.Definition{}
		for _, t := range m.Thresholds {
			list = append(list, thresholdDefinition(t))
		}
		definitions[m.Metric] = list
	}
	set, err := threshold.NewSet(definitions, false)
	if err != nil {
		return err
	}
	err = set.Bind(s.test.Metrics, s.store)
	if s.flags.noThresholds {
		if err != nil {
			s.app.logger().Warn(err.Error())
		}
		return nil
	}
	for _, w := range set.Warnings() {
		s.app.logger().Warn(w)
	}
	s.thresholds = set
	return err
}

// outputSetting looks settings of an output up: in the environment, then in the
// part of the configuration file that is for its kind.
func (s *session) outputSetting(spec string) func(string) (string, bool) {
	kind, _, _ := strings.Cut(spec, "=")
	file := collectorSettings(s.test.Options.Collectors[kind])
	return func(name string) (string, bool) {
		if value, _, ok := s.app.process.Vars.Setting(name); ok {
			return value, true
		}
		_, member, _ := strings.Cut(name, "_")
		value, ok := file[plainName(member)]
		return value, ok
	}
}

// introduce prints the banner and the description of what is going to happen.
func (s *session) introduce() error {
	a := s.app
	if a.global.quiet {
		a.logger().Debug("random sources are fixed", "seed", s.seed)
		return nil
	}
	if err := term.Banner(a.process.Stdout, a.paint(), version()); err != nil {
		return err
	}
	_, err := s.plan().WriteTo(a.process.Stdout)
	return err
}

func (s *session) plan() *term.Plan {
	o, needs := &s.test.Options, s.test.Config.Requirements()
	p := &term.Plan{
		Execution: "local", Script: s.path, Extra: [][2]string{{"seed", fmt.Sprint(s.seed)}},
		Share: percent(s.test.Config.Share), MaxVUs: needs.MaxVUs, MaxDuration: needs.TotalDuration,
	}
	if s.app.process.Stdout.TTY {
		p.Columns = s.app.process.Stdout.Columns()
	}
	if s.target != nil {
		p.Extra = append(p.Extra, [2]string{"target", s.target.url})
	}
	for _, sink := range s.sinks {
		p.Outputs = append(p.Outputs, outputName(sink.Name))
	}
	for _, one := range o.Scenarios.V {
		what, facts := one.Share(s.test.Config.Share).Describe()
		p.Scenarios = append(p.Scenarios, term.PlannedScenario{Name: one.Name, What: what, Facts: facts})
	}
	return p
}

// percent returns how much of a test an instance does.
func percent(share segment.Striper) float64 {
	num, den := share.Share()
	if den == 0 {
		return 0
	}
	return float64(num) / float64(den) * 100
}

// outputName shows json=o.json as json (o.json).
func outputName(spec string) string {
	kind, arg, ok := strings.Cut(spec, "=")
	if !ok {
		return kind
	}
	return fmt.Sprintf("%s (%s)", kind, arg)
}

// run runs the test and shows its progress.
func (s *session) run(ctx, force context.Context) engine.Result {
	w := newWatch(s)
	d := s.app.showProgress(w.progress)
	defer d.close()
	cfg := engine.Config{
		Options: s.test.Options, Share: s.test.Config.Share, Factory: s.test, Store: s.store, Recorder: s.recorder,
		Thresholds: s.thresholds, Sinks: s.sinks, Live: s.live, Log: s.app.logger(), SetupAside: s.flags.excludeSetup,
		Force: force,
	}
	if !s.app.global.quiet {
		cfg.Progress, cfg.ProgressPeriod = w.take, s.app.tick()
	}
	cfg.Needs = engine.Needs{
		Connects: s.test.Connects(), Addresses: s.test.Options.LocalIPs.V.Count(), Unchecked: s.flags.ignoreLimits,
	}
	cfg.UnitSetup, cfg.UnitTeardown = s.test.HasExport("vuSetup"), s.test.HasExport("vuTeardown")
	if s.test.HasExport("setup") {
		cfg.Setup = s.test.Setup
	}
	if s.test.HasExport("teardown") {
		cfg.Teardown = s.test.Teardown
	}
	result := engine.Run(ctx, cfg)
	w.finish(result)
	return result
}

// linger waits for a signal after the end if the user wants it.
func (s *session) linger(ctx context.Context) {
	if !s.test.Options.Linger.V || ctx.Err() != nil || s.app.process.Notify == nil {
		return
	}
	s.lingers.Store(true)
	s.app.logger().Info("the test has ended; lingering until Ctrl-C")
	<-ctx.Done()
}
