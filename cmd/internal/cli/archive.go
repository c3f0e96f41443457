package cli

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/vu"
)

// archiveFlags are the flags of the archive command that are not those of run.
type archiveFlags struct {
	out         string
	excludeVars bool
}

func (a *app) archiveCommand() *cobra.Command {
	r, f := &runFlags{}, archiveFlags{}
	c := &cobra.Command{
		Use:   "archive FILE",
		Short: "Put a test with all it needs into one file",
		Long: `Write the script, all it imports and opens, its options and its variables into
a tar file that run, inspect and archive take in place of a script. Modules on
https:// are kept too, so that the archive runs without a network.

Options are those of the configuration file, the script, the environment and the
flags together; when the archive is run they count as the script's. Variables of
the system are left out unless --include-system-env-vars is given.

` + exitHelp(0, vu.ExitConfig, vu.ExitScript),
		Example: `  jsload archive script.js
  jsload archive -O test.tar --vus 256 -e BASE=https://test.example script.ts
  jsload archive -O - script.js | jsload run -`,
		Args: oneScript,
		RunE: func(_ *cobra.Command, args []string) error { return a.archive(r, f, args[0]) },
	}
	r.options = optionFlags{}
	r.options.register(c.Flags())
	r.scriptFlags.register(c.Flags(), false)
	c.Flags().StringVarP(&f.out, "archive-out", "O", "archive.tar", "`file` to write, or - for standard output")
	c.Flags().BoolVar(&f.excludeVars, "exclude-env-vars", false, "leave the script's variables out of the archive")
	return c
}

func (a *app) archive(r *runFlags, f archiveFlags, path string) error {
	ctx, stop := a.interruptible()
	defer stop()
	cfg, err := a.layered(r, path)
	if err != nil {
		return err
	}
	if err := a.refuseConflicts([]writtenFile{{flag: "--archive-out " + f.out, path: fileName(f.out)}}); err != nil {
		return err
	}
	test, err := a.load(ctx, cfg)
	if err != nil {
		return err
	}
	if f.out == "-" {
		return test.WriteArchive(a.process.Stdout, version(), f.excludeVars)
	}
	return writeWhole(a.process.Path(f.out), func(w io.Writer) error { return test.WriteArchive(w, version(), f.excludeVars) })
}

// layered is the configuration of a script with the options of all layers.
func (a *app) layered(r *runFlags, path string) (js.Config, error) {
	cfg, err := a.scriptConfig(&r.scriptFlags, path)
	if err != nil {
		return cfg, err
	}
	flags, err := r.options.layer()
	if err != nil {
		return cfg, err
	}
	if err := a.addLayers(&cfg); err != nil {
		return cfg, err
	}
	cfg.Above = append(cfg.Above, flags)
	return cfg, nil
}

// writeWhole writes a file; if that fails it leaves no half of one behind.
func writeWhole(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	err = errors.Join(write(file), file.Close())
	if err != nil {
		_ = os.Remove(name)
	}
	return err
}
