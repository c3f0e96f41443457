package hist

import (
	"encoding/binary"
	"errors"
	"fmt"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

// The geometry of the wire form: 1 to MaxValue at three significant digits.
const (
	wireLowest = 1
	wireDigits = 3
)

// errRange says that a decoded histogram has other buckets than ours.
var errRange = errors.New("histogram: not of three digits from 1")

// Encode returns the histogram in HdrHistogram's compressed V2 form (Base64), which
// other tools read too. The number of clamped values is not part of it.
func (h *Histogram) Encode() ([]byte, error) {
	counts := make([]int64, 0, octaves*half)
	h.each(func(i int, n int64) bool {
		for len(counts) < i {
			counts = append(counts, 0)
		}
		counts = append(counts, n)
		return true
	})
	lib := hdr.Import(&hdr.Snapshot{
		LowestTrackableValue: wireLowest, HighestTrackableValue: MaxValue,
		SignificantFigures: wireDigits, Counts: counts,
	})
	encoded, err := lib.Encode(hdr.V2CompressedEncodingCookieBase)
	if err != nil {
		return nil, fmt.Errorf("encode histogram: %w", err)
	}
	return encoded, nil
}

// Decode reads what Encode wrote, or a histogram of the same precision from
// another tool.
func Decode(encoded []byte) (*Histogram, error) {
	lib, err := hdr.Decode(encoded)
	if err != nil {
		return nil, fmt.Errorf("decode histogram: %w", err)
	}
	s := lib.Export()
	if s.LowestTrackableValue > wireLowest || s.SignificantFigures != wireDigits {
		return nil, errRange
	}
	h := new(Histogram)
	for i, n := range s.Counts {
		switch {
		case n == 0:
		case n < 0 || i >= octaves*half:
			return nil, errRange
		default:
			h.add(i, n)
		}
	}
	return h, nil
}

// errPart says that the encoded parts of a Float make no sense.
var errPart = errors.New("histogram: malformed list of parts")

// Encode returns the number of zeros, then each part: its sign and window, the
// length of its histogram and the histogram in HdrHistogram's form.
func (f *Float) Encode() ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(f.zeros))
	for _, p := range f.parts {
		encoded, err := p.hist.Encode()
		if err != nil {
			return nil, err
		}
		head := int64(p.window) << 1
		if p.negative {
			head |= 1
		}
		out = binary.AppendVarint(out, head)
		out = binary.AppendUvarint(out, uint64(len(encoded)))
		out = append(out, encoded...)
	}
	return out, nil
}

// DecodeFloat reads what Float.Encode wrote.
func DecodeFloat(encoded []byte) (*Float, error) {
	zeros, n := binary.Uvarint(encoded)
	if n <= 0 || zeros > MaxValue {
		return nil, errPart
	}
	f := &Float{count: int64(zeros), zeros: int64(zeros)}
	for encoded = encoded[n:]; len(encoded) > 0; {
		rest, err := f.decodePart(encoded)
		if err != nil {
			return nil, err
		}
		encoded = rest
	}
	return f, nil
}

// decodePart adds the first part of encoded and returns what follows it.
func (f *Float) decodePart(encoded []byte) ([]byte, error) {
	head, n := binary.Varint(encoded)
	if n <= 0 || head>>1 < minWindow || head>>1 > maxWindow {
		return nil, errPart
	}
	encoded = encoded[n:]
	size, n := binary.Uvarint(encoded)
	if n <= 0 || size > uint64(len(encoded)-n) {
		return nil, errPart
	}
	h, err := Decode(encoded[n : n+int(size)])
	if err != nil {
		return nil, err
	}
	if h.count > MaxValue-f.count {
		return nil, errPart
	}
	f.count += h.count
	f.part(head&1 == 1, int(head>>1)).Merge(h)
	return encoded[n+int(size):], nil
}
