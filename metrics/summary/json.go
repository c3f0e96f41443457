package summary

import (
	"encoding/json"
	"io"
	"time"

	"github.com/jsload/jsload/metrics"
)

// State is what a script's handleSummary may know of the process.
type State struct{ StdoutTTY, StderrTTY bool }

// HandleSummaryData returns the argument of handleSummary as JSON. Metrics come
// sorted by name, groups and checks in the order of the script. setup is the
// value that setup() returned, or nil: then setup_data is missing, for JSON has
// no undefined, and the caller adds it.
func (r *Report) HandleSummaryData(state State, setup json.RawMessage) []byte {
	w := &jsonWriter{}
	w.object(func() {
		w.objectMember("metrics", func() {
			for i := range r.Total.Metrics {
				m := &r.Total.Metrics[i]
				w.objectMember(m.Name, func() { r.describe(w, m) })
			}
		})
		w.key("root_group")
		groupList(w, r.Root)
		w.objectMember("options", func() {
			w.arrayMember("summaryTrendStats", func() {
				for _, s := range r.Options.TrendStats {
					w.item()
					w.string(s.Name)
				}
			})
			w.stringMember("summaryTimeUnit", r.Options.TimeUnit.String())
			w.boolMember("noColor", r.Options.NoColor)
		})
		w.objectMember("state", func() {
			w.boolMember("isStdOutTTY", state.StdoutTTY)
			w.boolMember("isStdErrTTY", state.StderrTTY)
			w.numberMember("testRunDurationMs", milliseconds(r.Duration))
		})
		setupMember(w, setup)
	})
	return w.b
}

// describe writes the members of a metric of HandleSummaryData.
func (r *Report) describe(w *jsonWriter, m *Metric) {
	w.stringMember("type", m.Kind.String())
	w.stringMember("contains", m.Contains.String())
	w.objectMember("values", func() { r.values(w, m, "rate") })
	if len(m.Thresholds) == 0 {
		return
	}
	w.objectMember("thresholds", func() {
		for _, t := range uniqueSources(m.Thresholds) {
			w.objectMember(t.Source, func() { w.boolMember("ok", t.OK) })
		}
	})
}

// values writes the numbers of a metric; ratio is the name for that of a rate.
func (r *Report) values(w *jsonWriter, m *Metric, ratio string) {
	switch m.Kind {
	case metrics.Counter:
		w.numberMember("count", m.Count)
		w.numberMember("rate", m.PerSecond)
	case metrics.Gauge:
		w.numberMember("value", m.Value)
		w.numberMember("min", m.Min)
		w.numberMember("max", m.Max)
	case metrics.Rate:
		w.numberMember(ratio, m.Ratio())
		w.numberMember("passes", float64(m.Hits))
		w.numberMember("fails", float64(m.Samples-m.Hits))
	case metrics.Trend:
		for i, s := range r.Options.TrendStats {
			w.numberMember(s.Name, m.Trend[i])
		}
	}
}

// uniqueSources drops later thresholds with the same expression: they have the
// same outcome and would be the same key. One that fails is kept over one that
// does not.
func uniqueSources(all []Threshold) []Threshold {
	var out []Threshold
	at := make(map[string]int)
	for _, t := range all {
		i, seen := at[t.Source]
		switch {
		case !seen:
			at[t.Source] = len(out)
			out = append(out, t)
		case !t.OK:
			out[i] = t
		}
	}
	return out
}

// groupList writes a group with its groups and checks as arrays.
func groupList(w *jsonWriter, g *metrics.GroupView) {
	w.object(func() {
		groupIdentity(w, g)
		w.arrayMember("groups", func() {
			for _, sub := range g.Groups {
				w.item()
				groupList(w, sub)
			}
		})
		w.arrayMember("checks", func() {
			for _, c := range g.Checks {
				w.item()
				checkObject(w, c)
			}
		})
	})
}

func groupIdentity(w *jsonWriter, g *metrics.GroupView) {
	w.stringMember("name", g.Name)
	w.stringMember("path", g.Path)
	w.stringMember("id", g.ID)
}

func checkObject(w *jsonWriter, c metrics.CheckView) {
	w.object(func() {
		w.stringMember("name", c.Name)
		w.stringMember("path", c.Path)
		w.stringMember("id", c.ID)
		w.numberMember("passes", float64(c.Passes))
		w.numberMember("fails", float64(c.Fails))
	})
}

func setupMember(w *jsonWriter, setup json.RawMessage) {
	if setup != nil {
		w.key("setup_data")
		w.raw(setup)
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// WriteExport writes the file of --summary-export. Its shape is older than
// HandleSummaryData and differs in three ways: values stand beside the type-less
// thresholds, groups and checks are objects by name, and a threshold that is
// true has FAILED.
func (r *Report) WriteExport(out io.Writer, setup json.RawMessage) error {
	w := &jsonWriter{indent: "    "}
	w.object(func() {
		w.objectMember("metrics", func() {
			for i := range r.Total.Metrics {
				m := &r.Total.Metrics[i]
				w.objectMember(m.Name, func() { r.inline(w, m) })
			}
		})
		w.key("root_group")
		groupMap(w, r.Root)
		setupMember(w, setup)
	})
	_, err := out.Write(append(w.b, '\n'))
	return err
}

func (r *Report) inline(w *jsonWriter, m *Metric) {
	r.values(w, m, "value")
	if len(m.Thresholds) == 0 {
		return
	}
	w.objectMember("thresholds", func() {
		for _, t := range uniqueSources(m.Thresholds) {
			w.boolMember(t.Source, !t.OK)
		}
	})
}

// groupMap writes a group with its groups and checks as objects by name.
func groupMap(w *jsonWriter, g *metrics.GroupView) {
	w.object(func() {
		groupIdentity(w, g)
		w.objectMember("groups", func() {
			for _, sub := range g.Groups {
				w.key(sub.Name)
				groupMap(w, sub)
			}
		})
		w.objectMember("checks", func() {
			for _, c := range g.Checks {
				w.key(c.Name)
				checkObject(w, c)
			}
		})
	})
}
