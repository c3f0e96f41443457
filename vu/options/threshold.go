package options

import "encoding/json"

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
		return json.Marshal(t.Source)
	}
	return json.Marshal(struct {
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
