package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/jsload/jsload/cmd/internal/api"
)

func (a *app) statsCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "Show the metrics of a running test",
		Long: `Show the metrics of a running test as they are now. Times are in milliseconds; a
mark ! tells that a threshold on the metric is crossed.

The test must have been started with --address, or JSLOAD_ADDRESS or K6_ADDRESS.

` + exitHelp(0),
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			all, err := client.Metrics(c.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.process.Stdout, all)
			}
			return writeStats(a.process.Stdout, all)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the metrics as JSON")
	noVariable(c.Flags(), "json")
	return c
}

// writeStats prints one line per metric.
func writeStats(w io.Writer, all []api.NamedMetric) error {
	widest := 0
	for _, m := range all {
		widest = max(widest, len(m.Name))
	}
	var b strings.Builder
	for _, m := range all {
		mark := " "
		if m.Tainted != nil && *m.Tainted {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s %-*s", mark, widest, m.Name)
		for _, name := range [...]string{"count", "rate", "value", "avg", "min", "med", "max", "p(90)", "p(95)"} {
			if v, ok := m.Sample[name]; ok {
				b.WriteString("  " + name + "=" + strconv.FormatFloat(v, 'f', decimals(v), 64))
			}
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// decimals is how many digits behind the point are worth showing.
func decimals(v float64) int {
	if v == float64(int64(v)) {
		return 0
	}
	return 3
}
