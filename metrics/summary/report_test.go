package summary

import (
	"fmt"
	"time"

	"github.com/jsload/jsload/metrics"
)

// shop is a report with something of everything: a test of 12.5 seconds.
func shop(mode Mode) *Report {
	r := &Report{
		Options:  Options{Mode: mode, TrendStats: DefaultTrendStats()},
		Duration: 12500 * time.Millisecond,
		Root: &metrics.GroupView{
			ID:     "d41d8cd98f00b204e9800998ecf8427e",
			Checks: []metrics.CheckView{{Name: "up", Path: "::up", ID: "1", Passes: 300}},
			Groups: []*metrics.GroupView{{
				Name: "cart", Path: "::cart", ID: "2",
				Checks: []metrics.CheckView{{Name: "added", Path: "::cart::added", ID: "3", Passes: 199, Fails: 1}},
				Groups: []*metrics.GroupView{{
					Name: "pay", Path: "::cart::pay", ID: "4",
					Checks: []metrics.CheckView{{Name: "paid", Path: "::cart::pay::paid", ID: "5", Fails: 7}},
				}},
			}},
		},
	}
	r.Total = Section{Metrics: shopMetrics(), Checks: flatten(nil, r.Root)}
	if mode == Full {
		pay := Section{Name: "pay", Metrics: r.part("http_reqs", "http_req_waiting")}
		cart := Section{Name: "cart", Metrics: r.part("checks", "http_reqs"), Checks: r.Total.Checks[1:], Groups: []Section{pay}}
		r.Groups = []Section{cart}
		r.Scenarios = []Section{{Name: "browse", Metrics: r.part("http_reqs", "orders", "data_sent")},
			{Name: "buy", Metrics: r.part("iterations", "checks"), Checks: r.Total.Checks, Groups: []Section{cart}}}
	}
	r.Endpoints = []Endpoint{
		{Name: "login", Count: 1200, P50: 1.234, P95: 22.5, P99: 345.678, Max: 1999.9},
		{Name: "https://shop.test/a/rather/long/path/to/some/item", Count: 300, Failed: 3, P50: 0.0995, P95: 0.5, P99: 0.75, Max: 61000},
		{Name: "https://shop.test/" + fmt.Sprintf("%0100d", 7), Count: 3, Failed: 3},
	}
	r.Failures = []Failure{
		{Cause: "status 503", Where: "login", Count: 3, First: 1250 * time.Millisecond},
		{Cause: "connection refused (error code 1212)", Where: "https://shop.test/a/rather/long/path/to/some/item", Count: 2, First: 75 * time.Second},
		{Cause: "x509: certificate signed by unknown authority, and a good deal more of what such errors say (error code 1310)", Where: "b", Count: 1},
	}
	r.Generator = &Generator{
		Limit: "schedule", Reason: "140 iterations were due and found no free VU", CPU: 0.4312, CPUs: 2, GC: 0.019,
		Lag: 122 * time.Microsecond, Open: true, StartDelay: 3 * time.Millisecond, Dropped: 140, Wire: 0.97, SocketErrors: 2,
		Host: Host{Waiting: 0.03, Wait: 20 * time.Microsecond, Known: true, Idle: 0.4, Others: 0.16, Pressure: 0.1},
	}
	return r
}

// part picks metrics by name.
func (r *Report) part(names ...string) []Metric {
	var out []Metric
	for _, name := range names {
		out = append(out, *findMetric(r.Total.Metrics, name))
	}
	sortMetrics(out)
	return out
}

func shopMetrics() []Metric {
	times := func(name string, values ...float64) Metric {
		return Metric{Name: name, Kind: metrics.Trend, Contains: metrics.Time, Samples: 1503, Trend: values}
	}
	sub := func(parent, suffix string, m Metric) Metric {
		m.Name, m.Parent, m.Suffix = parent+"{"+suffix+"}", parent, suffix
		return m
	}
	duration := times("http_req_duration", 12.3456, 0.0995, 1.5, 61000, 200.007, 900)
	expected := sub("http_req_duration", "expected_response:true", duration)
	duration.Thresholds = []Threshold{
		{Source: "p(95)<500", Method: "p(95)", Observed: 900},
		{Source: " avg < 20 ", Method: "avg", OK: true, Observed: 12.3456},
		{Source: "p(95)<500", Method: "p(95)", OK: true, Observed: 321, Label: "last 30s, without stage 0"},
	}
	login := sub("http_req_duration", "name:login", times("", 1.3, 1, 1.234, 1999.9, 10, 22.5))
	login.Thresholds = []Threshold{{Source: "max<2000", Method: "max", OK: true, Observed: 1999.9}}
	buys := sub("http_reqs", "scenario:buy", Metric{Kind: metrics.Counter, Samples: 3, Count: 3, PerSecond: 0.24})
	buys.Thresholds = []Threshold{{Source: "rate>1", Method: "rate", Observed: 0.24}}
	ms := []Metric{
		{Name: "checks", Kind: metrics.Rate, Samples: 507, Hits: 499,
			Thresholds: []Threshold{{Source: "rate>0.9", Method: "rate", OK: true, Observed: 499.0 / 507, Samples: 507, Hits: 499}}},
		{Name: "orders", Kind: metrics.Counter, Samples: 9, Count: 10.5, PerSecond: 0.84},
		{Name: "Stock", Kind: metrics.Gauge, Samples: 9, Value: -3, Min: -12.25, Max: 1e21},
		{Name: "never_used", Kind: metrics.Rate,
			Thresholds: []Threshold{{Source: "rate==1", Method: "rate", OK: true, NoData: true}}},
		{Name: "never_counted", Kind: metrics.Counter,
			Thresholds: []Threshold{{Source: "count>0", Method: "count", NoData: true}}},
		{Name: "basket_size", Kind: metrics.Trend, Samples: 4, Trend: []float64{2.5, 1, 2, 5, 4.9, 4.95}},
		duration, expected, login,
		times("http_req_waiting", 1, 2, 3, 4, 5, 6),
		{Name: "http_req_failed", Kind: metrics.Rate, Samples: 1503, Hits: 6},
		{Name: "http_reqs", Kind: metrics.Counter, Samples: 1503, Count: 1503, PerSecond: 120.24},
		buys,
		{Name: "iterations", Kind: metrics.Counter, Samples: 300, Count: 300, PerSecond: 24},
		times("iteration_duration", 100, 0, 0.000123, 3723004, 7, 59999.9),
		times("group_duration", 1, 1, 1, 1, 1, 1),
		{Name: "data_sent", Kind: metrics.Counter, Contains: metrics.Data, Samples: 300, Count: 999960, PerSecond: 79996.8},
		{Name: "data_received", Kind: metrics.Counter, Contains: metrics.Data, Samples: 300, Count: 7, PerSecond: 0.56},
		times("iteration_start_delay", 1, 0, 0.5, 12, 3, 4),
		times("http_req_response_time", 13, 1, 2, 61000, 201, 901),
	}
	sortMetrics(ms)
	return ms
}
