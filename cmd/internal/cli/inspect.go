package cli

import (
	"bytes"
	"encoding/json"

	"github.com/spf13/cobra"

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
	ctx, stop := a.interruptible()
	defer stop()
	cfg, err := a.scriptConfig(s, path)
	if err != nil {
		return err
	}
	if requirements {
		if err := a.addLayers(&cfg); err != nil {
			return err
		}
	}
	t, err := a.load(ctx, cfg)
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
