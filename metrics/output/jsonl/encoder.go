// Hot path: encoding a sample with a known tag set allocates nothing.

package jsonl

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/output/internal/tagcache"
)

// knownTagSets is how many encoded tag sets one generation of the cache holds:
// some 2 MB at 200 bytes each.
const knownTagSets = 4096

// encoder appends lines to b.
type encoder struct {
	b   []byte
	run output.Run
	// start is the run's epoch in nanoseconds since 1970.
	start int64
	// second is the last point in time, in whole seconds since 1970, that was
	// written, and secondText its text without the fraction.
	second     int64
	secondText []byte
	tags       *tagcache.Cache
	// metadata is the last that was written: the samples of one iteration follow
	// each other, and no later one has the same.
	metadata     metrics.TagSet
	metadataText []byte
}

func newEncoder(run output.Run) *encoder {
	return &encoder{
		run:    run,
		start:  run.Epoch.Time(0).UnixNano(),
		second: math.MinInt64,
		tags:   tagcache.New(knownTagSets, appendTags),
	}
}

// point appends the line of one sample.
func (e *encoder) point(s *metrics.Sample) {
	b := append(e.b, `{"metric":"`...)
	b = append(b, s.Metric.Name...) // names need no escapes
	b = append(b, `","type":"Point","data":{"time":"`...)
	b = e.appendTime(b, e.start+s.At)
	b = append(b, `","value":`...)
	b = appendNumber(b, s.Value)
	b = append(b, `,"tags":`...)
	b = e.tags.Append(b, s.Tags)
	if s.Metadata.Len() > 0 {
		if s.Metadata != e.metadata {
			e.metadata, e.metadataText = s.Metadata, appendTags(e.metadataText[:0], s.Metadata)
		}
		b = append(b, `,"metadata":`...)
		b = append(b, e.metadataText...)
	}
	e.b = append(b, "}}\n"...)
}

// appendTime appends RFC 3339 in UTC, with as many decimals of the second as
// there are.
func (e *encoder) appendTime(b []byte, ns int64) []byte {
	second, fraction := ns/1e9, ns%1e9
	if fraction < 0 {
		second, fraction = second-1, fraction+1e9
	}
	if second != e.second {
		e.second = second
		e.secondText = time.Unix(second, 0).UTC().AppendFormat(e.secondText[:0], "2006-01-02T15:04:05")
	}
	b = append(b, e.secondText...)
	if fraction > 0 {
		var digits [10]byte
		digits[0] = '.'
		for i := 9; i > 0; i-- {
			digits[i] = byte('0' + fraction%10)
			fraction /= 10
		}
		n := len(digits)
		for digits[n-1] == '0' {
			n--
		}
		b = append(b, digits[:n]...)
	}
	return append(b, 'Z')
}

// appendNumber appends a number as JavaScript would, and null for what JSON
// cannot express.
func appendNumber(b []byte, v float64) []byte {
	abs := math.Abs(v)
	switch {
	case v == math.Trunc(v) && abs < 1<<53:
		return strconv.AppendInt(b, int64(v), 10)
	case math.IsNaN(v), math.IsInf(v, 0):
		return append(b, "null"...)
	case abs < 1e-6 || abs >= 1e21:
		return trimExponent(strconv.AppendFloat(b, v, 'e', -1, 64))
	}
	return strconv.AppendFloat(b, v, 'f', -1, 64)
}

// trimExponent turns e-09 into e-9.
func trimExponent(b []byte) []byte {
	n := len(b)
	if b[n-4] == 'e' && b[n-2] == '0' {
		b[n-2] = b[n-1]
		return b[:n-1]
	}
	return b
}

// appendTags appends an object with the tags, which are sorted.
func appendTags(b []byte, set metrics.TagSet) []byte {
	b = append(b, '{')
	first := true
	for key, value := range set.All() {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendString(b, key)
		b = append(b, ':')
		b = appendString(b, value)
	}
	return append(b, '}')
}

const hexDigits = "0123456789abcdef"

// appendString appends a JSON string. "<", ">" and "&" stay as they are.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			// U+2028 and U+2029 end lines in JavaScript sources.
			if invalid := r == utf8.RuneError && size == 1; invalid || r == '\u2028' || r == '\u2029' {
				b = append(b, s[start:i]...)
				if invalid {
					b = append(b, `\ufffd`...)
				} else {
					b = append(b, `\u202`...)
					b = append(b, hexDigits[r&15])
				}
				start = i + size
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
