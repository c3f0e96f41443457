package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/api"
)

func (a *app) scaleCommand() *cobra.Command {
	var vus, most int64
	c := a.steer("scale", "Change the virtual users of a running test",
		"Change how many virtual users loop in the first running scenario that allows it:\none of the executor constant-vus or externally-controlled. --max changes how many\nthere may be, which externally-controlled knows.",
		func(c *cobra.Command, client *api.Client) (api.Status, error) {
			var change api.Change
			if c.Flags().Changed("vus") {
				change.VUs = &vus
			}
			if c.Flags().Changed("max") {
				change.VUsMax = &most
			}
			if change == (api.Change{}) {
				return api.Status{}, errors.New("scale to what? give --vus N, --max N or both")
			}
			return client.Change(c.Context(), change)
		})
	c.Example = "  jsload scale --address 127.0.0.1:6565 --vus 50"
	c.Flags().Int64VarP(&vus, "vus", "u", 0, "`number` of virtual users that loop")
	c.Flags().Int64VarP(&most, "max", "m", 0, "greatest `number` of virtual users")
	noVariable(c.Flags(), "vus", "max")
	return c
}
