package cli

import (
	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/api"
)

func (a *app) statusCommand() *cobra.Command {
	return a.steer("status", "Show what a running test is doing",
		"Show the phase of a running test, its virtual users, and whether a threshold is\ncrossed (tainted).",
		func(c *cobra.Command, client *api.Client) (api.Status, error) { return client.Status(c.Context()) })
}
