package options

import (
	"bytes"
	"encoding/json"
)

// encode gives v as JSON with <, > and & as they are: thresholds are full of
// them, and nobody embeds options in HTML.
func encode(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// object is a JSON object whose members print in the order they were added.
type object struct {
	members []byte // each after a comma
	err     error
}

func (o *object) add(key string, value any) {
	if o.err != nil {
		return
	}
	name, err := encode(key)
	if err != nil {
		o.err = err
		return
	}
	text, err := encode(value)
	if err != nil {
		o.err = err
		return
	}
	o.members = append(append(append(append(o.members, ','), name...), ':'), text...)
}

// MarshalJSON implements json.Marshaler.
func (o *object) MarshalJSON() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return append(append([]byte{'{'}, bytes.TrimPrefix(o.members, []byte(","))...), '}'), nil
}

// MarshalJSON gives the options as the inspect command and archives print them:
// every option in the order of the documentation, null if unset.
func (o Options) MarshalJSON() ([]byte, error) {
	return o.members(showInspect).MarshalJSON()
}

// ScriptJSON gives the options as a running script sees them in
// exec.test.options: like MarshalJSON, but without the shortcuts, which the
// scenarios stand for, and with consoleOutput and localIPs.
func (o Options) ScriptJSON() ([]byte, error) {
	return o.members(showScript).MarshalJSON()
}

func (o Options) members(shown uses) *object {
	var out object
	for _, e := range entries() {
		if e.uses&shown == 0 {
			continue
		}
		if value := e.value(&o); value != nil {
			out.add(e.key, value)
		}
	}
	return &out
}

// scenarioMap prints scenarios as the object they were written as.
type scenarioMap []Scenario

// MarshalJSON implements json.Marshaler.
func (m scenarioMap) MarshalJSON() ([]byte, error) {
	var out object
	for _, s := range m {
		out.add(s.Name, s)
	}
	return out.MarshalJSON()
}

// thresholdMap prints thresholds as the object they were written as.
type thresholdMap []MetricThresholds

// MarshalJSON implements json.Marshaler.
func (m thresholdMap) MarshalJSON() ([]byte, error) {
	var out object
	for _, t := range m {
		out.add(t.Metric, append([]Threshold{}, t.Thresholds...))
	}
	return out.MarshalJSON()
}

// hostMap prints mappings as the object they were written as.
type hostMap []HostMapping

// MarshalJSON implements json.Marshaler.
func (m hostMap) MarshalJSON() ([]byte, error) {
	var out object
	for _, h := range m {
		out.add(h.source, h.target)
	}
	return out.MarshalJSON()
}
