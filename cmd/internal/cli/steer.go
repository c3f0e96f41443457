package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/api"
	"github.com/jsload/jsload/vu/engine"
)

// client returns the client of the run that --address names.
func (a *app) client() (*api.Client, error) {
	if a.global.address == "" {
		return nil, errors.New("which test? start it with --address 127.0.0.1:6565 and give the same address here, or set JSLOAD_ADDRESS for both")
	}
	return api.NewClient(a.global.address)
}

// steer is a command that talks to a running test and shows its status.
func (a *app) steer(use, short, long string, call func(*cobra.Command, *api.Client) (api.Status, error)) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long + "\n\nThe test must have been started with --address, or JSLOAD_ADDRESS or K6_ADDRESS.\n\n" + exitHelp(0),
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			status, err := call(c, client)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.process.Stdout, status)
			}
			return writeStatus(a.process.Stdout, status)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the status as JSON")
	noVariable(c.Flags(), "json")
	return c
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// writeStatus prints one fact per line, for people and for YAML readers alike.
func writeStatus(w io.Writer, s api.Status) error {
	_, err := fmt.Fprintf(w, "status: %s\npaused: %t\nvus: %d\nvus-max: %d\nstopped: %t\nrunning: %t\ntainted: %t\n",
		statusText(s.Status), s.Paused, s.VUs, s.VUsMax, s.Stopped, s.Running, s.Tainted)
	return err
}

// statusText names a status.
func statusText(s engine.Status) string {
	switch s {
	case engine.StatusCreated, engine.StatusInitVUs, engine.StatusInitExecutors, engine.StatusInitDone:
		return "starting"
	case engine.StatusPausedBeforeRun:
		return "paused before the start"
	case engine.StatusStarted:
		return "started"
	case engine.StatusSetup:
		return "setup"
	case engine.StatusRunning:
		return "running"
	case engine.StatusTeardown:
		return "teardown"
	case engine.StatusEnded:
		return "ended"
	case engine.StatusInterrupted:
		return "interrupted"
	case engine.StatusMarkedAsFailed:
		return "marked as failed"
	}
	return fmt.Sprint(int(s))
}
