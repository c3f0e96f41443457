package options

import (
	"encoding/json"
	"strings"
	"testing"
)

// merge merges script options with an environment and flags, after a file.
func merge(t *testing.T, file, script string, env map[string]string, flags map[string][]string) *Merged {
	t.Helper()
	merged, err := mergeAll(t, file, script, env, flags)
	if err != nil {
		t.Fatal(err)
	}
	return merged
}

func mergeAll(t *testing.T, file, script string, env map[string]string, flags map[string][]string) (*Merged, error) {
	t.Helper()
	cli, err := Flags(flags)
	if err != nil {
		t.Fatal(err)
	}
	return Merge(nil, File("config.json", []byte(file)), Script([]byte(script)), Env(env), cli)
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the load becomes: the shortcuts, and which layer's counts.
func TestDerive(t *testing.T) {
	const scenarios = `{"scenarios": {"big": {"executor": "constant-vus", "vus": 5, "duration": "1h"}}}`
	type flags = map[string][]string
	tests := []struct {
		name, file, script string
		env                map[string]string
		flags              flags
		want               string // members of the one scenario that are not null
		warning            string
	}{
		{name: "nothing", want: `executor=per-vu-iterations`},
		{name: "users", script: `{"vus": 3}`, want: `executor=shared-iterations vus=3 iterations=3`},
		{name: "users as text", script: `{"vus": "3"}`, want: `executor=shared-iterations vus=3 iterations=3`},
		{name: "iterations", script: `{"iterations": 7}`, want: `executor=shared-iterations iterations=7`},
		{name: "iterations and duration", script: `{"vus": 2, "iterations": 7, "duration": 90000}`,
			want: `executor=shared-iterations vus=2 iterations=7 maxDuration="1m30s"`},
		{name: "duration", script: `{"vus": 2, "duration": "1d"}`, want: `executor=constant-vus vus=2 duration="24h0m0s"`},
		{name: "stages", script: `{"vus": 2, "stages": [{"duration": "10s", "target": 5}]}`,
			want: `executor=ramping-vus startVUs=2 stages=[{"duration":"10s","target":5}]`},
		{name: "empty stages", script: `{"stages": []}`, want: `executor=per-vu-iterations`, warning: "`stages` is empty"},
		{name: "empty scenarios", script: `{"scenarios": {}}`, want: `executor=per-vu-iterations`, warning: "`scenarios` is empty"},
		{name: "script over file", file: `{"iterations": 9, "vus": 2}`, script: `{"duration": "2s"}`,
			want: `executor=constant-vus vus=2 duration="2s"`},
		{name: "environment over script", script: `{"iterations": 9}`, env: map[string]string{"K6_ITERATIONS": "2", "K6_VUS": "1"},
			want: `executor=shared-iterations vus=1 iterations=2`},
		{name: "own environment over the other", env: map[string]string{"K6_ITERATIONS": "2", "JSLOAD_ITERATIONS": "3"},
			want: `executor=shared-iterations iterations=3`},
		{name: "environment and flags together", env: map[string]string{"K6_ITERATIONS": "6"}, flags: flags{"vus": {"2"}},
			want: `executor=shared-iterations vus=2 iterations=6`},
		{name: "environment in milliseconds", env: map[string]string{"K6_DURATION": "1000"}, want: `executor=constant-vus duration="1s"`},
		{name: "environment stages", env: map[string]string{"K6_STAGES": "1m:5, 30000:0"},
			want: `executor=ramping-vus stages=[{"duration":"1m0s","target":5},{"duration":"30s","target":0}]`},
		{name: "flag stages", flags: flags{"stage": {"1m:5,2m:5", "30s:0"}},
			want: `executor=ramping-vus stages=[{"duration":"1m0s","target":5},{"duration":"2m0s","target":5},{"duration":"30s","target":0}]`},
		{name: "flags over scenarios", script: scenarios, flags: flags{"iterations": {"2"}},
			want: `executor=shared-iterations iterations=2`, warning: `"cli" level configuration overrode scenarios configuration entirely`},
		{name: "users over scenarios", script: scenarios, env: map[string]string{"K6_VUS": "2"},
			want: `executor=shared-iterations vus=2 iterations=2`, warning: `"env" level configuration overrode scenarios configuration entirely`},
		{name: "script over file's scenarios", file: scenarios, script: `{"duration": "1m"}`,
			want: `executor=constant-vus duration="1m0s"`, warning: `"script" level configuration overrode scenarios configuration entirely`},
		{name: "users beside scenarios", script: strings.Replace(scenarios, "{", `{"vus": 9, `, 1),
			want: `executor=constant-vus vus=5 duration="1h0m0s"`},
		{name: "rate", flags: flags{"rate": {"25"}, "duration": {"1m"}},
			want: `executor=constant-arrival-rate duration="1m0s" rate=25 preAllocatedVUs=3 maxVUs=25`},
		{name: "rate with users", flags: flags{"rate": {"25"}, "duration": {"1m"}, "vus": {"40"}},
			want: `executor=constant-arrival-rate duration="1m0s" rate=25 preAllocatedVUs=40 maxVUs=40`},
		{name: "rate over iterations", script: `{"iterations": 5, "rps": 10}`, env: map[string]string{"JSLOAD_RATE": "1", "K6_RATE": "7"}, flags: flags{},
			want: "", warning: ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.script == "" {
				test.script = "{}"
			}
			if test.file == "" {
				test.file = "{}"
			}
			merged, err := mergeAll(t, test.file, test.script, test.env, test.flags)
			if test.want == "" {
				if err == nil || !strings.Contains(err.Error(), "`rate` needs a `duration`") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := membersOf(t, merged.Options.Scenarios.V[0]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if got := warningsOf(merged); !strings.Contains(got, test.warning) || (test.warning == "") != (got == "") {
				t.Errorf("warnings %q, want %q", got, test.warning)
			}
		})
	}
}

func warningsOf(m *Merged) string {
	var texts []string
	for _, w := range m.Warnings {
		texts = append(texts, w.Message)
	}
	return strings.Join(texts, "; ")
}

// membersOf lists what a scenario prints other than null, in order.
func membersOf(t *testing.T, s Scenario) string {
	t.Helper()
	n, err := parseJSON([]byte(jsonOf(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for i, key := range n.keys {
		text := jsonOf(t, n.items[i])
		switch {
		case text == "null":
		case key == "executor":
			parts = append(parts, "executor="+n.items[i].text)
		default:
			parts = append(parts, key+"="+text)
		}
	}
	return strings.Join(parts, " ")
}

// Options other than the load: the higher layer's value whole, but DNS by
// member.
func TestPrecedence(t *testing.T) {
	merged := merge(t,
		`{"userAgent": "file", "tags": {"a": "1"}, "thresholds": {"checks": ["rate>0"]}, "dns": {"ttl": "1m", "select": "first"}, "linger": true, "out": "json=x", "rps": 1}`,
		`{"userAgent": "script", "thresholds": {"iterations": ["count>1"]}, "dns": "select=roundRobin", "rps": 2, "maxRedirects": 3}`,
		map[string]string{"K6_RPS": "3", "K6_TAGS": "b:2,c:3", "K6_USER_AGENT": "", "JSLOAD_NO_SETUP": "true", "K6_HOSTS": "a=b",
			"JSLOAD_HOSTS": "", "K6_TLS_VERSION": `{"min": "tls1.2"}`, "K6_OUT": "csv=a,json"},
		map[string][]string{"rps": {"4"}, "tag": {"d=x=1, 2"}, "dns": {"policy=any"}, "throw": {"true"}, "unknown": {"1"}},
	)
	o := merged.Options
	checks := []struct{ name, got, want string }{
		{"userAgent", o.UserAgent.V, "script"},
		{"tags", jsonOf(t, o.Tags), `{"d":"x=1, 2"}`},
		{"thresholds", jsonOf(t, thresholdMap(o.Thresholds.V)), `{"iterations":["count>1"]}`},
		{"dns", jsonOf(t, o.DNS), `{"ttl":"1m","select":"roundRobin","policy":"any"}`},
		{"rps", jsonOf(t, o.RPS), "4"},
		{"maxRedirects", jsonOf(t, o.MaxRedirects), "3"},
		{"noSetup", jsonOf(t, o.NoSetup), "true"},
		{"throw", jsonOf(t, o.Throw), "true"},
		{"linger", jsonOf(t, o.Linger), "true"},
		{"out", jsonOf(t, o.Out), `["csv=a","json"]`},
		{"tlsVersion", jsonOf(t, o.TLSVersion), `{"min":"tls1.2","max":""}`},
		{"warnings", warningsOf(merged), "K6_HOSTS has no effect"},
	}
	for _, c := range checks {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
}

// Problems of all layers are reported together, and with those of the whole.
func TestProblemsOfAllLayers(t *testing.T) {
	_, err := mergeAll(t, `{"rps": -1}`, `{"batch": 1.5, "scenarios": {"a": {"executor": "constant-vus"}}}`,
		map[string]string{"K6_PAUSED": "perhaps", "K6_TAGS": "x"}, nil)
	for _, want := range []string{
		"rps: must not be negative", "batch: 1.5 is not a whole number", `K6_PAUSED: "perhaps" is neither true nor false`,
		`K6_TAGS: "x" is not a tag, such as name:value`, "executor a: the duration is missing",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestFlagsRefuse(t *testing.T) {
	tests := []struct{ name, value, want string }{
		{"duration", "10", `invalid value for --duration: "10" needs a unit, such as 10s or 10ms`},
		{"vus", "1.5", `invalid value for --vus: 1.5 is not a whole number`},
		{"stage", "10s", `invalid value for --stage: "10s" is not a stage, such as 30s:10 (a duration and a target)`},
		{"stage", ":10", `invalid value for --stage: ":10" is not a stage, such as 30s:10 (a duration and a target)`},
		{"stage", "10:5", `invalid value for --stage: "10" needs a unit, such as 10s or 10ms`},
		{"tag", "=x", `invalid value for --tag: "=x" is not a tag, such as name=value`},
		{"tag", "x=", `invalid value for --tag: "x=" is not a tag, such as name=value`},
		{"rps", "-1", `invalid value for --rps: must not be negative`},
		{"summary-trend-stats", "avg,p(-1)", `invalid value for --summary-trend-stats: "p(-1)" is none of avg, min, med, max, count, p(N) with N from 0 to 100`},
		{"execution-segment", "1/2:", `invalid value for --execution-segment: execution segment "1/2:": a bound is missing`},
	}
	for _, test := range tests {
		_, err := Flags(map[string][]string{test.name: {test.value}})
		if errorText(err) != test.want {
			t.Errorf("--%s=%s: error %v, want %s", test.name, test.value, err, test.want)
		}
	}
}

// Every flag has a distinct name and letter, and text for the help.
func TestFlagList(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range FlagList() {
		if seen[f.Name] || (f.Short != "" && seen[f.Short]) || f.Usage == "" || (f.Bool == (f.Value != "")) {
			t.Errorf("flag %+v", f)
		}
		seen[f.Name], seen[f.Short] = true, true
	}
}

func TestYAML(t *testing.T) {
	layer := File("jsload.YAML", []byte("vus: 3\nduration: 1m\nthresholds:\n  http_reqs:\n    - count>1\n    - threshold: rate>2\n      abortOnFail: true\ntags: {n: 1, day: 2026-01-01}\n"))
	if err := layer.Err(); err != nil {
		t.Fatal(err)
	}
	want := `{"vus":3,"duration":"1m0s","thresholds":{"http_reqs":["count>1",{"threshold":"rate>2","abortOnFail":true,"delayAbortEval":null}]},"tags":{"day":"2026-01-01","n":"1"}}`
	if got := setMembers(t, layer.Options); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := File("empty.yml", nil).Err(); err != nil {
		t.Errorf("an empty file: %v", err)
	}
}

// setMembers is the options' JSON without what is null.
func setMembers(t *testing.T, o Options) string {
	t.Helper()
	n, err := parseJSON([]byte(jsonOf(t, o)))
	if err != nil {
		t.Fatal(err)
	}
	var kept object
	for i, key := range n.keys {
		if n.items[i].kind != kindNull && key != "dns" {
			kept.add(key, n.items[i])
		}
	}
	return jsonOf(t, &kept)
}

// A deeply nested document is an error, not the end of the process.
func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat("[", 1_000_000)
	for _, layer := range []Layer{
		Script([]byte(`{"ext": ` + deep)), File("x.json", []byte(deep)),
		File("x.yaml", []byte(deep)), File("x.yaml", []byte(strings.Repeat("- ", 1_000_000))),
		Env(map[string]string{"K6_THRESHOLDS": "{" + deep}),
	} {
		if layer.Err() == nil {
			t.Errorf("no error in layer %s", layer.Name)
		}
	}
}

// FuzzScript checks that no text ends the process and that options read back as
// they print.
func FuzzScript(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `"x"`, `{"vus": "3", "duration": 1500, "ext": {"a": [1e5, "<"]}}`,
		`{"scenarios": {"a": {"executor": "ramping-vus", "stages": [{"duration": "1s", "target": 3}], "tags": {"x": 1}, "options": {"browser": {"type": "chromium"}}}}}`,
		`{"scenarios": {"a": {"executor": "constant-arrival-rate", "rate": 1, "duration": "1m", "preAllocatedVUs": 0}, "b": {"executor": "externally-controlled"}}}`,
		`{"hosts": {"A.test:80": "[::1]:8080", "*": "1.2.3.4"}, "dns": {"ttl": 5, "policy": "any"}, "tlsVersion": "tls1.2", "blacklistIPs": ["10.1.2.3/8"]}`,
		`{"thresholds": {"x": ["a<1", {"threshold": "b", "delayAbortEval": "5s", "excludeStages": [0]}]}, "executionSegment": "0:1/3"}`,
		`{"vus": 1, "vus": 2, "tags": {"` + "\xff" + `": "\u2028"}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		layer := Script([]byte(text))
		merged, err := Merge([]string{"default"}, layer)
		if err != nil {
			_ = err.Error()
			return
		}
		checkReadsBack(t, layer.Options)
		checkReadsBack(t, merged.Given)
		r := merged.Requirements()
		if r.MaxVUs < r.PlannedVUs || r.TotalDuration < 0 {
			t.Fatalf("requirements %+v", r)
		}
		for _, s := range merged.Options.Scenarios.V {
			s.Share(merged.Share).Describe()
		}
		if text, err := merged.InspectJSON(); err != nil || !json.Valid(text) {
			t.Fatalf("inspect: %s, %v", text, err)
		}
	})
}

func checkReadsBack(t *testing.T, o Options) {
	t.Helper()
	first := jsonOf(t, o)
	again := Script([]byte(first))
	if len(again.Problems) > 0 {
		t.Fatalf("%s reads back with %v", first, again.Problems)
	}
	if second := jsonOf(t, again.Options); second != first {
		t.Fatalf("%s reads back as %s", first, second)
	}
}

// FuzzFile checks that no configuration file ends the process.
func FuzzFile(f *testing.F) {
	f.Add([]byte("vus: 3\nscenarios: {a: {executor: constant-vus, duration: 1m}}\n"))
	f.Add([]byte("a: &a [*a, *a]\nb: !!binary x\n? [1]\n: 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = Merge(nil, File("x.yaml", data))
		_, _ = Merge(nil, File("x.json", data))
	})
}

// FuzzFlags checks that no text of a flag or variable ends the process.
func FuzzFlags(f *testing.F) {
	for _, seed := range []string{"1", "10s:5,1m:0", "a=b", "a:b", "ttl=inf,select=first", "10.0.0.0/30,::1-::5", "0,1/3,1", "p(95),avg", `{"a": "1.2.3.4"}`} {
		f.Add(seed)
	}
	flags := FlagList()
	f.Fuzz(func(t *testing.T, text string) {
		for _, flag := range flags {
			_, _ = Flags(map[string][]string{flag.Name: {text, text}})
		}
		for _, e := range entries() {
			for _, name := range e.env {
				layer := Env(map[string]string{"K6_" + name: text})
				_, _ = Merge(nil, layer)
			}
		}
	})
}
