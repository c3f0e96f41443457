// Package all is the visible list of the kinds of output. The command line calls
// it.
package all

import (
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/output/csv"
	"github.com/jsload/jsload/metrics/output/jsonl"
)

// Registry returns all kinds of output, with those that are known by name only.
func Registry() output.Registry {
	return output.NewRegistry(
		csv.Kind(),
		jsonl.Kind(),

		later("experimental-opentelemetry"),
		later("experimental-prometheus-rw"),
		later("influxdb"),
		later("opentelemetry"),
		later("web-dashboard"),

		removed("datadog"),
		removed("kafka"),
		removed("statsd"),
		output.Kind{Name: "cloud", Refusal: "sends results to a vendor's service, which jsload does not use"},
	)
}

func later(name string) output.Kind {
	return output.Kind{Name: name, Refusal: "is not part of this version of jsload"}
}

func removed(name string) output.Kind {
	return output.Kind{Name: name, Refusal: "has been removed: write json or csv and convert it"}
}
