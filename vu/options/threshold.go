package options

// MetricThresholds are the thresholds of one metric or sub-metric.
type MetricThresholds struct {
	// Metric is the key as written, such as http_req_duration{status:200}.
	Metric     string
	Thresholds []Threshold
}

// Threshold is one threshold, not yet parsed: metrics/threshold judges it.
type Threshold struct {
	// Source is the expression as written.
	Source string
	// AbortOnFail ends the test once the threshold fails, but not before
	// DelayAbortEval has passed since the start.
	AbortOnFail    bool
	DelayAbortEval Null[Duration]
	// Strict makes a threshold without samples fail.
	Strict bool
	// Window judges only the last so much time; unset judges the whole run.
	Window Null[Duration]
	// ExcludeStages are numbers of stages, from 0, whose samples do not count.
	ExcludeStages []int64
}

// MarshalJSON gives a bare string if only the expression is set.
func (t Threshold) MarshalJSON() ([]byte, error) {
	if !t.AbortOnFail && !t.DelayAbortEval.Set && !t.Strict && !t.Window.Set && t.ExcludeStages == nil {
		return encode(t.Source)
	}
	return encode(struct {
		Threshold      string          `json:"threshold"`
		AbortOnFail    bool            `json:"abortOnFail"`
		DelayAbortEval Null[Duration]  `json:"delayAbortEval"`
		Strict         bool            `json:"strict,omitempty"`
		Window         *Null[Duration] `json:"window,omitempty"`
		ExcludeStages  []int64         `json:"excludeStages,omitempty"`
	}{t.Source, t.AbortOnFail, t.DelayAbortEval, t.Strict, setOrNil(t.Window), t.ExcludeStages})
}

// setOrNil makes omitempty leave out an unset option.
func setOrNil[T any](n Null[T]) *Null[T] {
	if !n.Set {
		return nil
	}
	return &n
}

// thresholds decodes the thresholds object in its order.
func (d *decoder) thresholds(path string, n node) ([]MetricThresholds, bool) {
	if n.kind != kindObject {
		d.bad(path, "write { metric: ['expression'] }", "must be an object, not %s", n.kind)
		return nil, false
	}
	all := true
	metrics := make([]MetricThresholds, 0, len(n.items))
	for i, metric := range n.keys {
		at := path + "." + metric
		if n.items[i].kind == kindString {
			d.bad(at, "write ['"+n.items[i].text+"']", "must be a list of thresholds, not a string")
			all = false
			continue
		}
		thresholds, ok := list(d, at, n.items[i], d.threshold)
		all = all && ok
		metrics = append(metrics, MetricThresholds{Metric: metric, Thresholds: thresholds})
	}
	return metrics, all
}

// threshold decodes a bare expression or the object form.
func (d *decoder) threshold(path string, n node) (t Threshold, ok bool) {
	switch n.kind {
	case kindString:
		return Threshold{Source: n.text}, true
	case kindObject:
	default:
		d.bad(path, "", "must be a string or an object, not %s", n.kind)
		return t, false
	}
	ok = d.knownFields(path, n, []string{"threshold", "abortOnFail", "delayAbortEval", "strict", "window", "excludeStages"})
	for i, key := range n.keys {
		if item := n.items[i]; item.kind != kindNull {
			ok = d.thresholdField(&t, path, key, item) && ok
		}
	}
	if ok && t.Source == "" {
		d.bad(path, "", "the threshold expression is missing")
		ok = false
	}
	return t, ok
}

func (d *decoder) thresholdField(t *Threshold, path, key string, n node) (ok bool) {
	path += "." + key
	switch key {
	case "threshold":
		t.Source, ok = d.text(path, n)
	case "abortOnFail":
		t.AbortOnFail, ok = d.boolean(path, n)
	case "strict":
		t.Strict, ok = d.boolean(path, n)
	case "delayAbortEval":
		t.DelayAbortEval.V, ok = d.duration(path, n)
		t.DelayAbortEval.Set = ok
	case "window":
		t.Window, ok = d.window(path, n)
	case "excludeStages":
		t.ExcludeStages, ok = list(d, path, n, d.integer)
	default:
		return true // reported as unknown already
	}
	return ok
}

func (d *decoder) window(path string, n node) (Null[Duration], bool) {
	v, ok := d.duration(path, n)
	if ok && v <= 0 {
		d.bad(path, "", "must be more than 0")
		ok = false
	}
	return Null[Duration]{V: v, Set: ok}, ok
}
