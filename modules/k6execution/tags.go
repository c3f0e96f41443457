package k6execution

import (
	"fmt"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
)

// tags is exec.vu.metrics.tags: the tags that every sample of the virtual user
// carries, to read and to write.
type tags struct{ *instance }

func (t *tags) set() metrics.TagSet { return t.host.VU.Record.Tags() }

// Get returns a tag.
func (t *tags) Get(name string) goja.Value {
	if v, ok := t.set().Get(name); ok {
		return t.rt.ToValue(v)
	}
	return nil
}

// Set changes a tag until the scenario changes.
func (t *tags) Set(name string, v goja.Value) bool {
	text, err := modules.TagValue(v)
	if err != nil {
		conv.Throw(t.rt, fmt.Errorf("invalid value for metric tag %q: %w", name, err))
	}
	t.host.VU.Record.SetTag(name, text)
	return true
}

// Has reports whether a tag is set.
func (t *tags) Has(name string) bool {
	_, ok := t.set().Get(name)
	return ok
}

// Delete removes a tag.
func (t *tags) Delete(name string) bool {
	t.host.VU.Record.DeleteTag(name)
	return true
}

// Keys lists the tags.
func (t *tags) Keys() []string { return keys(t.set()) }

func keys(set metrics.TagSet) []string {
	names := make([]string, 0, set.Len())
	for k := range set.All() {
		names = append(names, k)
	}
	return names
}

// metadata is exec.vu.metrics.metadata: like tags, but not part of what makes
// up a series.
type metadata struct{ *instance }

func (m *metadata) set() metrics.TagSet { return m.host.VU.Record.Metadata() }

// Get returns an entry.
func (m *metadata) Get(name string) goja.Value {
	if v, ok := m.set().Get(name); ok {
		return m.rt.ToValue(v)
	}
	return nil
}

// Set changes an entry.
func (m *metadata) Set(name string, v goja.Value) bool {
	text, err := modules.TagValue(v)
	if err != nil {
		conv.Throw(m.rt, fmt.Errorf("invalid value for metric metadata %q: %w", name, err))
	}
	m.host.VU.Record.SetMetadata(name, text)
	return true
}

// Has reports whether an entry is set.
func (m *metadata) Has(name string) bool {
	_, ok := m.set().Get(name)
	return ok
}

// Delete removes an entry.
func (m *metadata) Delete(name string) bool {
	m.host.VU.Record.DeleteMetadata(name)
	return true
}

// Keys lists the entries.
func (m *metadata) Keys() []string { return keys(m.set()) }
