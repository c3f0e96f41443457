package all

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/jsload/jsload/metrics/output"
)

func TestKinds(t *testing.T) {
	r := Registry()
	if got := r.Names(); !slices.Equal(got, []string{"csv", "json"}) {
		t.Errorf("kinds %q", got)
	}
	for _, spec := range []string{"json", "json=o.json", "csv=a=b", "csv"} {
		sink, err := r.New(spec, output.Params{})
		if bad := spec == "csv=a=b"; (err != nil) != bad {
			t.Errorf("%s: %v", spec, err)
		} else if !bad && (sink.Name != spec || sink.Output == nil) {
			t.Errorf("%s: %+v", spec, sink)
		}
	}
}

func TestRefusals(t *testing.T) {
	for spec, want := range map[string]string{
		"quantum=x":                  `unknown output "quantum": use one of csv, json`,
		"":                           `unknown output "": use one of csv, json`,
		"cloud":                      `the output "cloud" sends results to a vendor's service`,
		"statsd":                     `the output "statsd" has been removed`,
		"kafka=a":                    `the output "kafka" has been removed`,
		"datadog":                    `the output "datadog" has been removed`,
		"influxdb=http://h/db":       `the output "influxdb" is not part of this version`,
		"opentelemetry":              `the output "opentelemetry" is not part of this version`,
		"experimental-prometheus-rw": `the output "experimental-prometheus-rw" is not part of this version`,
		"web-dashboard":              `the output "web-dashboard" is not part of this version`,
	} {
		_, err := Registry().New(spec, output.Params{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "csv, json") {
			t.Errorf("%q: %v", spec, err)
		}
		var coded interface{ ExitCode() int }
		if errors.As(err, &coded) {
			t.Errorf("%q has the exit code %d of its own", spec, coded.ExitCode())
		}
	}
}
