package summary

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
)

// script is a random run that can be played again: samples with a tag and turns of
// the parts between them.
type script struct {
	steps    []step
	duration time.Duration
}

type step struct {
	metric string
	value  float64
	tag    string
	turn   turnKind
}

type turnKind uint8

const (
	sampled turnKind = iota
	opened
	closed
	turned
)

// kinds are the metrics of the script by name.
var kinds = map[string]metrics.Kind{"my_counter": metrics.Counter, "my_gauge": metrics.Gauge, "my_rate": metrics.Rate, "my_trend": metrics.Trend, "my_time": metrics.Trend}

func randomScript(r *rand.Rand) script {
	s := script{duration: time.Duration(1 + r.Int64N(int64(time.Minute)))}
	names := []string{"my_counter", "my_gauge", "my_rate", "my_trend", "my_time", "http_req_duration"}
	n := []int{0, 3, 40, 700, 4000}[r.IntN(5)]
	scale := math.Pow(10, float64(r.IntN(9)-3))
	for range n {
		st := step{metric: names[r.IntN(len(names))], tag: []string{"a", "b"}[r.IntN(2)], value: math.Round(r.ExpFloat64()*scale*1000) / 1000}
		switch {
		case st.metric == "my_rate":
			st.value = float64(r.IntN(3) / 2)
		case r.IntN(4) == 0 && st.metric == "my_trend":
			st.value = -st.value
		}
		if r.IntN(40) == 0 {
			st.turn = opened + turnKind(r.IntN(3))
		}
		s.steps = append(s.steps, st)
	}
	return s
}

// slicesKept is the length of the random windows.
const slicesKept = threshold.WindowSlices

// play runs the script under thresholds and returns its report, and what of the
// script each rule is about.
func (s script) play(t *testing.T, definitions map[string][]threshold.Definition) (*Report, threshold.Verdicts) {
	t.Helper()
	registry := metrics.NewRegistry()
	for name, kind := range kinds {
		contains := metrics.Default
		if name == "my_time" {
			contains = metrics.Time
		}
		if _, err := registry.New(name, kind, contains); err != nil {
			t.Fatal(err)
		}
	}
	store := metrics.NewStore(metrics.Config{Registry: registry, Epoch: metrics.NewEpoch(time.Now()), Shards: 1})
	set, err := threshold.NewSet(definitions, false)
	if err == nil {
		err = set.Bind(registry, store)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.feed(registry, store, set)
	snapshot := store.Snapshot()
	verdicts := set.EvaluateFinal(snapshot, s.duration)
	stats, err := ParseTrendStats([]string{"avg", "min", "med", "max", "p(90)", "p(99.9)", "count"})
	if err != nil {
		t.Fatal(err)
	}
	return Build(Input{Snapshot: snapshot, Verdicts: verdicts, Duration: s.duration, Options: Options{TrendStats: stats, Mode: Full}}), verdicts
}

func (s script) feed(registry *metrics.Registry, store *metrics.Store, set *threshold.Set) {
	for _, st := range s.steps {
		for _, subject := range set.Subjects() {
			for _, r := range subject.Rules {
				switch {
				case r.Part == nil:
				case st.turn == turned && r.Window > 0:
					r.Part.Turn()
				case st.turn == opened || st.turn == closed:
					r.Part.SetOpen(st.turn == opened)
				}
			}
		}
		store.Shard(0).Sample(0, registry.Lookup(st.metric), st.value, registry.Tags().With("tag", st.tag), metrics.TagSet{})
	}
}

// about returns the values that a rule is about, by the plain meaning of its words.
func (s script) about(name, tag string, window, part bool) []float64 {
	open, sets := true, [][]float64{nil}
	for _, st := range s.steps {
		switch {
		case part && st.turn == opened:
			open = true
		case part && st.turn == closed:
			open = false
		case window && st.turn == turned:
			sets = append(sets, nil)
		}
		if open && st.metric == name && (tag == "" || st.tag == tag) {
			sets[len(sets)-1] = append(sets[len(sets)-1], st.value)
		}
	}
	return slices.Concat(sets[max(0, len(sets)-slicesKept):]...)
}

// methods are the left sides of expressions by kind.
func methods(k metrics.Kind) []string {
	switch k {
	case metrics.Counter:
		return []string{"count", "rate"}
	case metrics.Gauge:
		return []string{"value"}
	case metrics.Rate:
		return []string{"rate"}
	}
	return []string{"avg", "min", "med", "max", "p(90)", "p(99.9)"}
}

func kindOf(name string) metrics.Kind {
	if name == "http_req_duration" {
		return metrics.Trend
	}
	return kinds[name]
}

// subject is a metric or sub-metric that the property is about.
type subject struct{ name, tag string }

func (s subject) String() string {
	if s.tag == "" {
		return s.name
	}
	return s.name + "{tag:" + s.tag + "}"
}

func allSubjects() (all []subject) {
	for _, name := range []string{"my_counter", "my_gauge", "my_rate", "my_trend", "my_time", "http_req_duration"} {
		all = append(all, subject{name, ""}, subject{name, "a"}, subject{name, "b"})
	}
	return all
}

// printed returns the number of a metric that the summary prints under a name.
func printed(m *Metric, r *Report, method string) float64 {
	switch {
	case m.Kind == metrics.Counter && method == "count":
		return m.Count
	case m.Kind == metrics.Counter:
		return m.PerSecond
	case m.Kind == metrics.Gauge:
		return m.Value
	case m.Kind == metrics.Rate:
		return m.Ratio()
	}
	for i, stat := range r.Options.TrendStats {
		if stat.Name == method {
			return m.Trend[i]
		}
	}
	return math.NaN()
}

// A threshold judges exactly the number that the summary prints, to the last bit:
// held against that very number, == holds and < does not.
func TestThresholdsJudgeWhatIsPrinted(t *testing.T) {
	for seed := range uint64(40) {
		s := randomScript(rand.New(rand.NewPCG(seed, 1)))
		all := map[string][]threshold.Definition{}
		for _, sub := range allSubjects() {
			all[sub.String()] = []threshold.Definition{{Source: methods(kindOf(sub.name))[0] + ">=0"}}
		}
		first, _ := s.play(t, all)
		sharp := map[string][]threshold.Definition{}
		for name := range all {
			m := findMetric(first.Total.Metrics, name)
			for _, method := range methods(m.Kind) {
				number := strconv.FormatFloat(printed(m, first, method), 'f', -1, 64)
				for _, op := range []string{"==", "<", ">", "<=", ">=", "!="} {
					sharp[name] = append(sharp[name], threshold.Definition{Source: method + op + number})
				}
			}
		}
		report, verdicts := s.play(t, sharp)
		for _, v := range verdicts {
			m := findMetric(report.Total.Metrics, v.Target.Name)
			if v.NoData && m.Kind == metrics.Rate {
				continue // has no number
			}
			if want := printed(m, report, v.Rule.Method()); v.Observed != want || v.OK != (strings.Contains(v.Rule.Source, "=") && !strings.Contains(v.Rule.Source, "!")) {
				t.Fatalf("seed %d: %s on %s: judged %v (%t), printed %v", seed, v.Rule.Source, v.Target.Name, v.Observed, v.OK, want)
			}
		}
		sameText(t, seed, report)
		sameJSON(t, seed, report)
	}
}

// sameText compares the words of the list of thresholds with those of the metrics.
func sameText(t *testing.T, seed uint64, r *Report) {
	w := &textWriter{report: r}
	for i := range r.Total.Metrics {
		m := &r.Total.Metrics[i]
		cells := strings.Join(w.row(m).cells, " ")
		for _, th := range m.Thresholds {
			_, number, _ := strings.Cut(strings.TrimSuffix(w.observed(m, th), " (no data)"), "=")
			if th.NoData && m.Kind == metrics.Rate {
				continue
			}
			want := number
			if m.Kind == metrics.Trend {
				want = th.Method + "=" + number
			}
			if !slices.Contains(strings.Fields(cells), want) && !strings.Contains(cells, want) {
				t.Fatalf("seed %d: %s on %s says %q beside %q", seed, th.Source, m.Name, want, cells)
			}
		}
	}
}

// sameJSON compares what handleSummary is given with what was judged.
func sameJSON(t *testing.T, seed uint64, r *Report) {
	var data struct {
		Metrics map[string]struct{ Values map[string]float64 }
	}
	if err := json.Unmarshal(r.HandleSummaryData(State{}, nil), &data); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Total.Metrics {
		for _, th := range m.Thresholds {
			if got := data.Metrics[m.Name].Values[th.Method]; got != th.Observed {
				t.Fatalf("seed %d: %s on %s judged %v, handleSummary has %v", seed, th.Source, m.Name, th.Observed, got)
			}
		}
	}
}

// A threshold on a part of the run judges the samples of that part, and its own line
// shows the number.
func TestThresholdsOnPartsJudgeTheirSamples(t *testing.T) {
	for seed := range uint64(40) {
		s := randomScript(rand.New(rand.NewPCG(seed, 2)))
		definitions := map[string][]threshold.Definition{}
		for _, sub := range allSubjects() {
			for _, method := range methods(kindOf(sub.name)) {
				if kindOf(sub.name) == metrics.Counter && method == "rate" {
					continue // depends on how long the part was open
				}
				for _, d := range []threshold.Definition{{Window: time.Second}, {ExcludeStages: []int{0}}, {Window: time.Second, ExcludeStages: []int{0}}} {
					d.Source = method + ">=0"
					definitions[sub.String()] = append(definitions[sub.String()], d)
				}
			}
		}
		report, verdicts := s.play(t, definitions)
		for _, v := range verdicts {
			tag := ""
			if len(v.Target.Tags) > 0 {
				tag = v.Target.Tags[0].Value
			}
			values := s.about(v.Metric.Name, tag, v.Rule.Window > 0, true)
			if v.NoData != (len(values) == 0) {
				t.Fatalf("seed %d: %s on %s (%s): no data %t with %d samples", seed, v.Rule.Source, v.Target.Name, v.Rule.Label(), v.NoData, len(values))
			}
			if v.NoData {
				continue
			}
			want := aggregate(v.Metric.Kind, v.Rule.Method(), values)
			if slack := tolerance(want, values); math.Abs(v.Observed-want) > slack || v.OK != (v.Observed >= 0) {
				t.Fatalf("seed %d: %s on %s (%s) over %d samples: judged %v (%t), want %v +- %v", seed, v.Rule.Source, v.Target.Name, v.Rule.Label(), len(values), v.Observed, v.OK, want, slack)
			}
		}
		w := &textWriter{report: report}
		for i := range report.Total.Metrics {
			m := &report.Total.Metrics[i]
			for _, th := range m.Thresholds {
				number := w.value(th.Observed, m.Contains)
				if m.Kind == metrics.Rate {
					number = percent(th.Hits, th.Samples)
				}
				if text := w.observed(m, th); !th.NoData && text != fmt.Sprintf("%s=%s (%s)", th.Method, number, th.Label) {
					t.Fatalf("seed %d: the line says %q, judged %v", seed, text, th.Observed)
				}
			}
		}
	}
}

// aggregate is the plain meaning of a method.
func aggregate(k metrics.Kind, method string, values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	sorted := slices.Sorted(slices.Values(values))
	quantile := func(q float64) float64 {
		place := q * float64(len(sorted)-1)
		low := int(place)
		return sorted[low] + (sorted[min(low+1, len(sorted)-1)]-sorted[low])*(place-float64(low))
	}
	switch method {
	case "count":
		return sum
	case "value":
		return values[len(values)-1]
	case "rate", "avg":
		return sum / float64(len(values))
	case "min":
		return sorted[0]
	case "max":
		return sorted[len(sorted)-1]
	case "med":
		return quantile(0.5)
	case "p(90)":
		return quantile(0.9)
	}
	return quantile(0.999)
}

// tolerance is what sums and, beyond the exact samples, histograms may be off.
func tolerance(want float64, values []float64) float64 {
	most := math.Abs(want)
	if len(values) > 1024 {
		return most*0.003 + 1e-3
	}
	return most*1e-9 + 1e-5 // built-in times are whole nanoseconds
}
