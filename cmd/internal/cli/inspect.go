package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu"
)

func (a *app) inspectCommand() *cobra.Command {
	var s scriptFlags
	var requirements bool
	c := &cobra.Command{
		Use:   "inspect FILE",
		Short: "Print the options of a script",
		Long: `Print the options that a script exports, as JSON. With
--execution-requirements the configuration file and the environment are laid
over and under them, scenarios are derived, and totalDuration and maxVUs added.

` + exitHelp(0, vu.ExitConfig, vu.ExitScript),
		Args: oneScript,
		RunE: func(_ *cobra.Command, args []string) error { return a.inspect(&s, args[0], requirements) },
	}
	s.register(c.Flags(), false)
	c.Flags().BoolVar(&requirements, "execution-requirements", false, "consolidate all options and tell what the test needs")
	return c
}

func (a *app) inspect(s *scriptFlags, path string, requirements bool) error {
	ctx, stop := a.interruptible(context.Background(), func() {})
	defer stop()
	t, err := a.loadToInspect(ctx, s, path, requirements)
	a.warn(t)
	if err != nil {
		return err
	}
	var raw []byte
	if requirements {
		raw, err = t.Config.InspectJSON()
	} else {
		raw, err = t.Config.Given.MarshalJSON()
	}
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = a.process.Stdout.Write(b.Bytes())
	return err
}

func (a *app) loadToInspect(ctx context.Context, s *scriptFlags, path string, requirements bool) (*js.Test, error) {
	if err := s.checkKind(); err != nil {
		return nil, err
	}
	vars, err := scriptVariables(a.process.Vars, s.includeSystem, s.env)
	if err != nil {
		return nil, err
	}
	extended, err := s.extended()
	if err != nil {
		return nil, err
	}
	cfg := a.scriptConfig(s, path, vars, extended)
	cfg.Epoch = metrics.NewEpoch(time.Now())
	if requirements {
		if err := a.addLayers(&cfg); err != nil {
			return nil, err
		}
	}
	return js.Load(ctx, cfg)
}
