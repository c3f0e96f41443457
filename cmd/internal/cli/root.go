package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/jsload/jsload/cmd/internal/env"
	"github.com/jsload/jsload/cmd/internal/term"
)

// globalFlags are the flags of every command.
type globalFlags struct {
	config  string
	address string
	// addressGiven tells that a flag, not a variable, set the address.
	addressGiven bool
	profiling    bool
	logOutput    string
	logFormat    string
	console      string // a flag of run, but needed before the log opens
	noColor      bool
	quiet        bool
	verbose      bool
	// secretSources hold secrets themselves: they are never shown.
	secretSources []string
}

func (g *globalFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&g.address, "address", "a", "", "`HOST:PORT` of the REST API that steers a run; run serves it there, other commands ask it")
	f.BoolVar(&g.profiling, "profiling-enabled", false, "serve profiles of the process under /debug/pprof of the REST API")
	noVariable(f, "profiling-enabled")
	f.StringVarP(&g.config, "config", "c", "", "JSON or YAML `file` with options, below those of the script")
	f.StringVar(&g.logOutput, "log-output", "stderr", "`place` that log lines go to: stderr, stdout, none or file=PATH[,level=LEVEL]")
	f.StringVar(&g.logFormat, "log-format", "text", "`form` of log lines: text, json or raw")
	f.BoolVar(&g.noColor, "no-color", false, "no colours on the terminal")
	f.BoolVarP(&g.quiet, "quiet", "q", false, "no banner, plan and progress; the summary is still printed")
	f.StringArrayVar(&g.secretSources, "secret-source", nil, "where scripts get secrets, which no log or metric shows: `KIND=...` with file=PATH, mock=KEY=VALUE,... or url=urlTemplate=https://HOST/{key},...; name=NAME and default tell several apart; repeatable")
	f.BoolVarP(&g.verbose, "verbose", "v", false, "show debug lines")
}

func (g *globalFlags) logConfig(p *env.Process) env.LogConfig {
	return env.LogConfig{Output: g.logOutput, Format: g.logFormat, Console: g.console, Verbose: g.verbose, NoColor: g.colourless(p)}
}

// colourless tells whether the user asked for no colours: with the flag, with
// NO_COLOR present at all, or with K6_NO_COLOR or JSLOAD_NO_COLOR not empty.
func (g *globalFlags) colourless(p *env.Process) bool {
	if _, present := p.Vars["NO_COLOR"]; g.noColor || present {
		return true
	}
	value, _, _ := p.Vars.Setting("NO_COLOR")
	return value != ""
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "jsload",
		Short: "A scriptable load tester",
		Long: `jsload runs a script of virtual users against a server and tells how it held.

  jsload new script.js            write a first script
  jsload run --vus 10 -d 30s script.js
  jsload run --with-target script.js   try it against a server of jsload's own`,
		Version:                    version(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableAutoGenTag:          true,
		SuggestionsMinimumDistance: 2,
		PersistentPreRunE:          a.prepare,
		Args:                       unknownCommand,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate(versionText() + "\n")
	root.CompletionOptions.DisableDefaultCmd = true
	a.global.register(root.PersistentFlags())
	root.AddCommand(a.runCommand(), a.checkCommand(), a.archiveCommand(), a.inspectCommand(), a.depsCommand(), a.newCommand(), a.targetCommand(), a.versionCommand(), a.completionCommand(),
		a.statusCommand(), a.statsCommand(), a.pauseCommand(), a.resumeCommand(), a.scaleCommand())
	for _, r := range refusals {
		root.AddCommand(r.command())
	}
	return root
}

// prepare reads the variables behind the flags and opens the log.
func (a *app) prepare(c *cobra.Command, args []string) error {
	a.global.addressGiven = c.Flags().Changed("address")
	if err := applyVariables(c.Flags(), a.process.Vars); err != nil {
		return err
	}
	if _, _, present := a.process.Vars.Setting("PROFILING_ENABLED"); present {
		a.global.profiling = true
	}
	if c.Flags().Lookup("compatibility-mode") != nil { // only with scripts
		a.scripts = args
	}
	if f := c.Flags().Lookup("console-output"); f != nil {
		a.prepareRun(f.Value.String())
	}
	if err := a.openLog(); err != nil {
		return err
	}
	a.mentionIgnored(c.Flags())
	return nil
}

// prepareRun sets up what run needs before the log opens: the file of the
// script's console, streams that outlive their readers, and a screen if a person
// looks on.
func (a *app) prepareRun(console string) {
	if console == "" {
		console, _, _ = a.process.Vars.Setting("CONSOLE_OUTPUT")
	}
	a.global.console = console
	p := a.process
	p.OutliveReaders()
	if a.global.quiet || !p.Stdout.TTY {
		return
	}
	a.screen = term.NewScreen(p.Stdout.Writer)
	p.Stdout.Writer = a.screen.Above(p.Stdout.Writer)
	if p.Stderr.TTY {
		p.Stderr.Writer = a.screen.Above(p.Stderr.Writer)
	}
}

func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q for %q", args[0], c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	return fmt.Errorf("%s", text)
}

// refusal is a command of the reference tool that jsload does not have.
type refusal struct{ name, why string }

var refusals = [...]refusal{
	{"cloud", "jsload has no vendor cloud; 'jsload run' runs the test on this machine"},
	{"features", "jsload has no feature flags"},
	{"login", "jsload has no vendor cloud to log in to"},
	{"x", "jsload has no extension commands"},
}

func (r refusal) command() *cobra.Command {
	return &cobra.Command{
		Use:                r.name,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("there is no command %q: %s", r.name, r.why)
		},
	}
}
