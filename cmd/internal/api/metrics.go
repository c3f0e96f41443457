package api

import (
	"net/http"

	"github.com/jsload/jsload/metrics"
)

// Metric is one metric or sub-metric that has samples.
type Metric struct {
	Type     string `json:"type"`
	Contains string `json:"contains"`
	// Tainted tells whether a threshold on it is crossed; nil without thresholds.
	Tainted *bool `json:"tainted"`
	// Sample holds the numbers by name, those that belong to the type: count and
	// rate; value; rate; or avg, min, med, max, p(90) and p(95).
	Sample map[string]float64 `json:"sample"`
}

const metricType = "metrics"

func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	all := []resource[Metric]{}
	for _, one := range s.cfg.Store.Snapshot().Series {
		if one.Samples > 0 {
			all = append(all, s.describe(one))
		}
	}
	writeData(w, all)
}

func (s *Server) metric(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	for _, one := range s.cfg.Store.Snapshot().Series {
		if one.Samples > 0 && one.Name() == id {
			writeData(w, s.describe(one))
			return
		}
	}
	writeError(w, http.StatusNotFound, "No metric with that ID was found")
}

func (s *Server) describe(one *metrics.Series) resource[Metric] {
	return resource[Metric]{metricType, one.Name(), Metric{
		Type: one.Metric.Kind.String(), Contains: one.Metric.Contains.String(),
		Tainted: s.tainted(one.Name()), Sample: s.sample(one),
	}}
}

func (s *Server) tainted(name string) *bool {
	var tainted *bool
	for _, v := range s.cfg.Live.Verdicts() {
		if v.Target.Name == name {
			crossed := !v.OK || tainted != nil && *tainted
			tainted = &crossed
		}
	}
	return tainted
}

func (s *Server) sample(one *metrics.Series) map[string]float64 {
	switch one.Metric.Kind {
	case metrics.Counter:
		return map[string]float64{"count": one.Sum, "rate": one.PerSecond(s.cfg.Live.Elapsed())}
	case metrics.Gauge:
		return map[string]float64{"value": one.Value}
	case metrics.Rate:
		return map[string]float64{"rate": one.Rate()}
	}
	d := one.Dist
	return map[string]float64{
		"avg": d.Avg(), "min": d.Min(), "med": d.Med(), "max": d.Max(), "p(90)": d.Quantile(0.9), "p(95)": d.Quantile(0.95),
	}
}
