package cli

import (
	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/api"
)

func (a *app) resumeCommand() *cobra.Command {
	return a.steer("resume", "Let a paused test go on",
		"Let a paused test go on where it stands, or start one that --paused holds back.",
		func(c *cobra.Command, client *api.Client) (api.Status, error) {
			paused := false
			return client.Change(c.Context(), api.Change{Paused: &paused})
		})
}
