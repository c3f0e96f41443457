package bundle

import (
	"encoding/json"
	"errors"
	"fmt"
)

// segment maps one place of a generated line. All numbers count from 0.
type segment struct {
	gen               int32 // column of the generated line
	source, line, col int32
}

// mapping is a source map in memory, by generated line.
type mapping struct {
	sources []string
	lines   [][]segment
}

// decodeMap reads a source map as esbuild writes it; names are left out.
func decodeMap(data []byte) (*mapping, error) {
	var raw struct {
		Sources  []string
		Mappings string
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("read esbuild's source map: %w", err)
	}
	m := &mapping{sources: raw.Sources}
	var line []segment
	var at segment
	for s := raw.Mappings; ; {
		if s == "" || s[0] == ';' {
			m.lines = append(m.lines, line)
			line, at.gen = nil, 0
			if s == "" {
				return m, nil
			}
			s = s[1:]
			continue
		}
		if s[0] == ',' {
			s = s[1:]
			continue
		}
		var err error
		if s, err = at.decode(s); err != nil {
			return nil, err
		}
		line = append(line, at)
	}
}

// decode reads one segment, relative to the one before, and gives what follows.
func (s *segment) decode(text string) (rest string, err error) {
	var fields [5]int32
	n := 0
	for text != "" && text[0] != ',' && text[0] != ';' {
		if n == len(fields) {
			return "", errors.New("read esbuild's source map: too many fields")
		}
		if fields[n], text, err = decodeVLQ(text); err != nil {
			return "", err
		}
		n++
	}
	s.gen += fields[0]
	s.source += fields[1]
	s.line += fields[2]
	s.col += fields[3]
	return text, nil
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// digitOf gives the value of a base64 digit, or -1.
func digitOf(c byte) int32 {
	switch {
	case c >= 'A' && c <= 'Z':
		return int32(c - 'A')
	case c >= 'a' && c <= 'z':
		return int32(c-'a') + 26
	case isDigit(c):
		return int32(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

func decodeVLQ(text string) (value int32, rest string, err error) {
	for i, shift := 0, 0; i < len(text) && shift < 32; i, shift = i+1, shift+5 {
		digit := digitOf(text[i])
		if digit < 0 {
			break
		}
		value |= (digit & 31) << shift
		if digit&32 == 0 {
			if value&1 != 0 {
				return -(value >> 1), text[i+1:], nil
			}
			return value >> 1, text[i+1:], nil
		}
	}
	return 0, "", errors.New("read esbuild's source map: bad number")
}

func appendVLQ(b []byte, value int32) []byte {
	v := uint32(value) << 1
	if value < 0 {
		v = uint32(-value)<<1 | 1
	}
	for {
		digit := v & 31
		if v >>= 5; v != 0 {
			digit |= 32
		}
		b = append(b, base64Digits[digit])
		if v == 0 {
			return b
		}
	}
}

// encode writes the map as JSON.
func (m *mapping) encode() []byte {
	var b []byte
	var at segment
	for i, line := range m.lines {
		if i > 0 {
			b = append(b, ';')
		}
		at.gen = 0
		for j, s := range line {
			if j > 0 {
				b = append(b, ',')
			}
			b = appendVLQ(b, s.gen-at.gen)
			b = appendVLQ(b, s.source-at.source)
			b = appendVLQ(b, s.line-at.line)
			b = appendVLQ(b, s.col-at.col)
			at = s
		}
	}
	sources, _ := json.Marshal(m.sources) // strings always marshal
	out := make([]byte, 0, len(b)+len(sources)+64)
	out = append(out, `{"version":3,"names":[],"sources":`...)
	out = append(out, sources...)
	out = append(out, `,"mappings":"`...)
	out = append(out, b...)
	return append(out, `"}`...)
}
