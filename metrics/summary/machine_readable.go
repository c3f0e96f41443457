package summary

import (
	"io"
	"strings"
	"time"

	"github.com/jsload/jsload/metrics"
)

// Origin is what the machine-readable summary says of where it comes from.
type Origin struct {
	// Script is the full text of the script.
	Script string
	// Generated is when the summary is made, Version that of the tool.
	Generated time.Time
	Version   string
}

// WriteMachineReadable writes the summary of --new-machine-readable-summary.
func (r *Report) WriteMachineReadable(out io.Writer, origin Origin) error {
	w := &jsonWriter{indent: "    "}
	w.object(func() {
		w.stringMember("version", "1.0.0")
		w.objectMember("config", func() {
			w.numberMember("duration", r.Duration.Seconds())
			w.stringMember("execution", "local")
			w.stringMember("script", origin.Script)
		})
		w.objectMember("metadata", func() {
			w.stringMember("generated_at", origin.Generated.UTC().Format(time.RFC3339Nano))
			w.stringMember("k6_version", origin.Version)
		})
		r.machineGenerator(w)
		w.objectMember("results", func() {
			r.machineChecks(w)
			w.arrayMember("metrics", func() {
				for i := range r.Total.Metrics {
					if m := &r.Total.Metrics[i]; m.Name != "checks" {
						r.machineMetric(w, m)
					}
				}
			})
		})
	})
	_, err := out.Write(append(w.b, '\n'))
	return err
}

// machineChecks writes the checks; they are there only if any ran.
func (r *Report) machineChecks(w *jsonWriter) {
	m := findMetric(r.Total.Metrics, "checks")
	if m == nil || m.Samples == 0 {
		return
	}
	failed := Metric{Name: "checks_failed", Kind: metrics.Rate, Samples: m.Samples, Hits: m.Samples - m.Hits}
	succeeded := Metric{Name: "checks_succeeded", Kind: metrics.Rate, Samples: m.Samples, Hits: m.Hits}
	w.objectMember("checks", func() {
		w.arrayMember("metrics", func() {
			r.machineMetric(w, &Metric{Name: "checks_total", Kind: metrics.Counter, Count: float64(m.Samples)})
			r.machineMetric(w, &failed)
			r.machineMetric(w, &succeeded)
		})
		w.arrayMember("results", func() {
			for _, c := range r.Total.Checks {
				w.item()
				w.object(func() {
					w.stringMember("name", c.Name)
					w.numberMember("passes", float64(c.Passes))
					w.numberMember("fails", float64(c.Fails))
				})
			}
		})
	})
}

func (r *Report) machineMetric(w *jsonWriter, m *Metric) {
	w.item()
	w.object(func() {
		w.stringMember("name", m.Name)
		w.stringMember("type", m.Kind.String())
		w.stringMember("contains", m.Contains.String())
		w.objectMember("values", func() { r.machineValues(w, m) })
	})
}

func (r *Report) machineValues(w *jsonWriter, m *Metric) {
	switch m.Kind {
	case metrics.Counter:
		w.numberMember("count", m.Count)
	case metrics.Rate:
		w.numberMember("rate", m.Ratio())
		w.numberMember("matches", float64(m.Hits))
		w.numberMember("total", float64(m.Samples))
	case metrics.Trend:
		for i, s := range r.Options.TrendStats {
			w.numberMember(machineStat(s.Name), m.Trend[i])
		}
	default:
		r.values(w, m, "rate")
	}
}

// machineStat spells p(95) as p95.
func machineStat(name string) string {
	return strings.NewReplacer("(", "", ")", "").Replace(name)
}
