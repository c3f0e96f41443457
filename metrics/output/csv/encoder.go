// Hot path: encoding a sample with a known tag set allocates nothing.

package csv

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/output/internal/tagcache"
)

// knownTagSets is how many encoded tag sets one generation of the cache holds.
const knownTagSets = 4096

// encoder appends rows to b.
type encoder struct {
	b []byte
	// columns are the enabled system tags that make series, sorted.
	columns []string
	format  timeFormat
	// start is the run's epoch in nanoseconds since 1970.
	start int64
	// stamp is the text of the last timestamp but for its digits below a second,
	// written for second.
	second int64
	stamp  []byte
	tags   *tagcache.Cache
	// metadata is the last that was written: the samples of one iteration follow
	// each other, and no later one has the same.
	metadata     metrics.TagSet
	metadataText []byte
}

func newEncoder(run output.Run, format timeFormat) *encoder {
	e := &encoder{
		columns: (run.SystemTags &^ metrics.MetadataSystemTags).Names(),
		format:  format,
		start:   run.Epoch.Time(0).UnixNano(),
		second:  math.MinInt64,
	}
	slices.Sort(e.columns)
	e.tags = tagcache.New(knownTagSets, e.appendTags)
	return e
}

// head appends the names of the columns.
func (e *encoder) head() {
	e.b = append(e.b, "metric_name,timestamp,metric_value"...)
	for _, c := range e.columns {
		e.b = append(append(e.b, ','), c...)
	}
	e.b = append(e.b, ",extra_tags,metadata\n"...)
}

// row appends the row of one sample.
func (e *encoder) row(s *metrics.Sample) {
	b := append(e.b, s.Metric.Name...) // names need no quotes
	b = append(b, ',')
	b = e.appendTime(b, e.start+s.At)
	b = append(b, ',')
	b = strconv.AppendFloat(b, s.Value, 'f', 6, 64)
	b = append(b, ',')
	b = e.tags.Append(b, s.Tags)
	b = append(b, ',')
	if s.Metadata.Len() > 0 {
		if s.Metadata != e.metadata {
			e.metadata, e.metadataText = s.Metadata, appendPairs(e.metadataText[:0], s.Metadata, nil)
		}
		b = append(b, e.metadataText...)
	}
	e.b = append(b, '\n')
}

func (e *encoder) appendTime(b []byte, ns int64) []byte {
	switch e.format {
	case unixMilli:
		return strconv.AppendInt(b, ns/1e6, 10)
	case unixMicro:
		return strconv.AppendInt(b, ns/1e3, 10)
	case unixNano:
		return strconv.AppendInt(b, ns, 10)
	case rfc3339Nano:
		return time.Unix(0, ns).UTC().AppendFormat(b, time.RFC3339Nano)
	}
	if second := ns / 1e9; second != e.second {
		e.second = second
		if e.format == rfc3339 {
			e.stamp = time.Unix(second, 0).UTC().AppendFormat(e.stamp[:0], time.RFC3339)
		} else {
			e.stamp = strconv.AppendInt(e.stamp[:0], second, 10)
		}
	}
	return append(b, e.stamp...)
}

// appendTags appends the columns of a tag set and, as one more, the tags that
// have no column.
func (e *encoder) appendTags(b []byte, set metrics.TagSet) []byte {
	for _, c := range e.columns {
		value, _ := set.Get(c)
		b = append(appendField(b, value), ',')
	}
	return appendPairs(b, set, e.columns)
}

// appendPairs appends a field with the tags of a set that are not in the sorted
// list, as k=v&k2=v2 without escapes.
func appendPairs(b []byte, set metrics.TagSet, except []string) []byte {
	start := len(b)
	for key, value := range set.All() {
		if _, has := slices.BinarySearch(except, key); has {
			continue
		}
		if len(b) > start {
			b = append(b, '&')
		}
		b = append(b, key...)
		b = append(b, '=')
		b = append(b, value...)
	}
	if field := b[start:]; needsQuotes(field) {
		b = appendQuoted(b[:start], slices.Clone(field))
	}
	return b
}

// appendField appends a field, in quotes if it needs them.
func appendField(b []byte, s string) []byte {
	if needsQuotes([]byte(s)) {
		return appendQuoted(b, []byte(s))
	}
	return append(b, s...)
}

// needsQuotes follows what readers of CSV agree on: separators, quotes and ends
// of lines, and spaces that some would trim.
func needsQuotes(field []byte) bool {
	return len(field) > 0 && (field[0] == ' ' || field[0] == '\t' || bytes.ContainsAny(field, ",\"\r\n"))
}

func appendQuoted(b, field []byte) []byte {
	b = append(b, '"')
	for _, c := range field {
		if c == '"' {
			b = append(b, '"')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
