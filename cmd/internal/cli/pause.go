package cli

import (
	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/api"
)

func (a *app) pauseCommand() *cobra.Command {
	return a.steer("pause", "Pause a running test",
		"Hold a running test: no iteration starts, those under way end, and all schedules\nwait. Its time, and that of durations and stages, stands still.",
		func(c *cobra.Command, client *api.Client) (api.Status, error) {
			paused := true
			return client.Change(c.Context(), api.Change{Paused: &paused})
		})
}
