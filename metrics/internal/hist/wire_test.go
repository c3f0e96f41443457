package hist

import (
	"bytes"
	"math/rand/v2"
	"testing"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

func TestEncodeDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 10, 500} {
		var h Histogram
		for range n {
			h.Record(spread(r))
		}
		encoded, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(encoded)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, &h, back)
	}
}

func TestTheLibraryReadsOurWireForm(t *testing.T) {
	var h Histogram
	for v := int64(1); v <= 1_000_000; v += 7 {
		h.Record(v)
	}
	encoded, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	lib, err := hdr.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if lib.TotalCount() != h.Count() {
		t.Errorf("the library counts %d values, we %d", lib.TotalCount(), h.Count())
	}
	if got := lib.ValueAtPercentile(50); got < 499_000 || got > 501_000 {
		t.Errorf("median is %d", got)
	}
}

func TestDecodeRefusesOtherPrecision(t *testing.T) {
	for _, lib := range []*hdr.Histogram{hdr.New(1, 1000, 2), hdr.New(1000, 1_000_000_000, 3)} {
		encoded, err := lib.Encode(hdr.V2CompressedEncodingCookieBase)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(encoded); err == nil {
			t.Error("accepted")
		}
	}
}

func TestFloatEncodeDecode(t *testing.T) {
	var f Float
	for _, v := range []float64{0, 0, -1e-300, -5, 3.25, 1e300, 7} {
		f.Record(v)
	}
	encoded, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeFloat(encoded)
	if err != nil {
		t.Fatal(err)
	}
	for rank := range f.Count() {
		if f.ValueAt(rank) != back.ValueAt(rank) {
			t.Errorf("rank %d: %v, want %v", rank, back.ValueAt(rank), f.ValueAt(rank))
		}
	}
}

func FuzzDecode(f *testing.F) {
	var h Histogram
	for v := range int64(3000) {
		h.Record(v * v)
	}
	seed, err := h.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte("HISTFAAAAAR4nA=="))
	f.Fuzz(func(t *testing.T, data []byte) {
		decoded, err := Decode(data)
		if err != nil {
			return
		}
		check(t, decoded)
		again, err := decoded.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(again)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, decoded, back)
	})
}

func FuzzDecodeFloat(f *testing.F) {
	var h Float
	for i := range 100 {
		h.Record(float64(i-50) * 1e20)
	}
	seed, err := h.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		decoded, err := DecodeFloat(data)
		if err != nil {
			return
		}
		one, err := decoded.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeFloat(one)
		if err != nil {
			t.Fatal(err)
		}
		two, err := back.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) {
			t.Fatal("the encoding of a decoded histogram is not stable")
		}
	})
}
