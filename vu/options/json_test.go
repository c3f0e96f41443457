package options

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
)

// A running script sees every option, null if unset, but no shortcuts.
func TestScriptJSON(t *testing.T) {
	merged := merge(t, `{"features": ["f"]}`, `{"vus": 2, "iterations": 4, "userAgent": "", "thresholds": {"checks": ["rate<1 && x"]}}`, nil,
		map[string][]string{"local-ips": {"10.0.0.1-10.0.0.9"}, "console-output": {"log.txt"}})
	text, err := merged.Options.ScriptJSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/script.json.golden", indent(t, text))
}

func TestInspectJSON(t *testing.T) {
	merged := merge(t, `{}`, `{
		"vus": 1, "ext": {"x": {"y": [1, "<"]}}, "cloud": {"projectID": 7}, "tlsVersion": "tls1.2", "hosts": {"B.test": "10.0.0.1:80", "a.test": "::1"},
		"blacklistIPs": ["10.1.2.3/8"], "tlsCipherSuites": ["TLS_AES_128_GCM_SHA256"], "executionSegment": "50%:1", "setupTimeout": 1500,
		"scenarios": {
			"z": {"executor": "ramping-vus", "stages": [{"duration": "10s", "target": 4}], "options": {"browser": {"type": "chromium"}}},
			"a": {"executor": "externally-controlled", "duration": "5s", "maxVUs": 3, "env": {"K": 1}}}}`, nil, nil)
	text, err := merged.InspectJSON()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/inspect.json.golden", indent(t, text))
}

func indent(t *testing.T, text []byte) []byte {
	t.Helper()
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	return append(pretty.Bytes(), '\n')
}

// An archive keeps the options as given, so that they derive the same anew.
func TestGivenDerivesAnew(t *testing.T) {
	first := merge(t, `{}`, `{"vus": 2, "duration": "10s", "stages": null}`, nil, nil)
	again := merge(t, `{}`, jsonOf(t, first.Given), nil, nil)
	if a, b := jsonOf(t, first.Options), jsonOf(t, again.Options); a != b {
		t.Errorf("first %s\nthen  %s", a, b)
	}
}

// Scenarios and thresholds keep the order of the document.
func TestDocumentOrder(t *testing.T) {
	layer := Script([]byte(`{"scenarios": {"z": {"executor": "constant-vus"}, "a": {"executor": "constant-vus"}, "m": {"executor": "constant-vus"}},
		"thresholds": {"z": [], "a": [], "m": []}}`))
	var scenarios, metrics []string
	for _, s := range layer.Options.Scenarios.V {
		scenarios = append(scenarios, s.Name)
	}
	for _, m := range layer.Options.Thresholds.V {
		metrics = append(metrics, m.Metric)
	}
	want := []string{"z", "a", "m"}
	if !slices.Equal(scenarios, want) || !slices.Equal(metrics, want) {
		t.Errorf("scenarios %v, thresholds %v", scenarios, metrics)
	}
}

func TestWithDefaults(t *testing.T) {
	o := Options{MaxRedirects: Some(int64(0)), DNS: DNS{Policy: Some(PolicyAny)}}.WithDefaults()
	if o.MaxRedirects.V != 0 || o.Batch.V != 20 || o.BatchPerHost.V != 6 || o.SetupTimeout.V.String() != "1m0s" {
		t.Errorf("defaults %+v", o)
	}
	if o.DNS.Policy.V != PolicyAny || o.DNS.Select.V != SelectRandom || o.DNS.TTL.V.Duration.String() != "5m0s" {
		t.Errorf("dns %+v", o.DNS)
	}
	if o.UserAgent.Set || len(o.SystemTags.V) != 14 {
		t.Errorf("user agent %v, system tags %v", o.UserAgent, o.SystemTags)
	}
}
