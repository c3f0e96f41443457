package segment

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ text, want, err string }{
		{"0:1", "0:1", ""},
		{"1/3", "0:1/3", ""},
		{"1/3:2/3", "1/3:2/3", ""},
		{"50%:1", "1/2:1", ""},
		{"10%:0.25", "1/10:1/4", ""},
		{"33.3%:100%", "333/1000:1", ""},
		{"2:3", "", "between 0 and 1"},
		{"1/2:1/3", "", "must be less"},
		{"1/3:1/3", "", "must be less"},
		{"-1/2:1", "", "between 0 and 1"},
		{"1/2:", "", "missing"},
		{"", "", "missing"},
		{"x", "", "fraction"},
		{"1/0", "", "fraction"},
		{"1e-1", "", "fraction"},
		{"1/3%", "", "fraction"},
		{"0:1:1", "", "fraction"},
		{"0.12345678901234567", "", "common denominator"},
		{"0." + strings.Repeat("3", 50), "", "fraction"},
	}
	for _, test := range tests {
		got, err := Parse(test.text)
		checkParse(t, test.text, got.String(), err, test.want, test.err)
	}
}

func TestParseSequence(t *testing.T) {
	tests := []struct{ text, want, err string }{
		{"0,1/3,2/3,1", "0,1/3,2/3,1", ""},
		{"0, 50%, 1", "0,1/2,1", ""},
		{"0,1/2", "0,1/2", ""}, // complete or not is Locate's question
		{"0,2/3,1/3,1", "", "must rise"},
		{"0,0,1", "", "must rise"},
		{"1", "", "two boundaries"},
		{"0,,1", "", "missing"},
	}
	for _, test := range tests {
		got, err := ParseSequence(test.text)
		checkParse(t, test.text, got.String(), err, test.want, test.err)
	}
}

func checkParse(t *testing.T, text, got string, err error, want, wantErr string) {
	t.Helper()
	switch {
	case wantErr != "":
		if err == nil || !strings.Contains(err.Error(), wantErr) {
			t.Errorf("%q: error %v, want one with %q", text, err, wantErr)
		}
	case err != nil:
		t.Errorf("%q: %v", text, err)
	case got != want:
		t.Errorf("%q = %q, want %q", text, got, want)
	}
}

func TestLocateRefuses(t *testing.T) {
	tests := []struct{ segment, sequence, want string }{
		{"0:1/2", "0,1/3,1", "is not in"},
		{"0:1", "0,1/2,1", "is not in"},
		{"0:1", "0,1/2", "is not in"},
		{"0:1/2", "0,1/2", "must begin with 0 and end with 1"},
		{"1/2:1", "1/2,1", "must begin with 0 and end with 1"},
		{"0:1/999999999989", "0,1/999999999989,1/2,1", "common denominator"},
	}
	for _, test := range tests {
		_, err := Locate(mustParse(t, test.segment), mustSequence(t, test.sequence))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in %s: error %v, want one with %q", test.segment, test.sequence, err, test.want)
		}
	}
}

func TestScale(t *testing.T) {
	tests := []struct {
		segment, sequence string
		n, want           int64
	}{
		{"0:1", "", 7, 7},
		{"0:1/2", "", 9, 5},
		{"1/2:1", "0,1/2,1", 9, 4},
		{"0:1/3", "", 9, 3},
		{"0:1/3", "", 20, 7},
		{"0:1/3", "", 4, 1}, // the longer rest of the test goes first
		{"0:1/3", "", 5, 2},
		{"0:1/3", "", 0, 0},
		{"0:1/3", "", -3, 0},
		{"0:1/5", "0,1/5,3/5,1", 3, 1},
		{"1/5:3/5", "0,1/5,3/5,1", 3, 1},
		{"0:1/1000000000000", "", 1, 0},
		{"0:1/1000000000000", "", 1_000_000_000, 1},
		{"1/1000000000000:1", "", 1_000_000_000, 999_999_999},
	}
	for _, test := range tests {
		s := mustLocate(t, test.segment, test.sequence)
		if got := s.Scale(test.n); got != test.want {
			t.Errorf("%s in %q: Scale(%d) = %d, want %d", test.segment, test.sequence, test.n, got, test.want)
		}
	}
}

// Iterations follow the users: ten iterations of four users over thirds.
func TestSplit(t *testing.T) {
	parts := []string{"0:1/3", "1/3:2/3", "2/3:1"}
	for i, want := range []int64{5, 3, 2} {
		users := mustLocate(t, parts[i], "0,1/3,2/3,1")
		if got := users.Split(4).Scale(10); got != want {
			t.Errorf("part %d has %d iterations, want %d", i, got, want)
		}
	}
	none := mustLocate(t, "1/2:1", "").Split(1)
	if !none.Empty() || none.Scale(100) != 0 {
		t.Errorf("a segment without users has %d iterations", none.Scale(100))
	}
	if !(Striper{}).Split(3).Whole() {
		t.Error("the whole, split, is not the whole")
	}
}

// The shares of all segments add up to the whole, index by index, for random
// sequences and for what Split makes of them.
func TestStriperCoversWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		lengths := randomLengths(r)
		checkCover(t, lengths)
		users := r.Int64N(3 * int64(len(lengths)))
		split := newStriper(lengths, 0).Split(users)
		if users > 0 {
			checkCover(t, split.lengths)
		}
	}
}

func randomLengths(r *rand.Rand) []uint64 {
	lengths := make([]uint64, 1+r.IntN(6))
	for i := range lengths {
		lengths[i] = 1 + r.Uint64N(1+r.Uint64N(30))
	}
	return lengths
}

func checkCover(t *testing.T, lengths []uint64) {
	t.Helper()
	const n = 120
	owner := make([]int, n)
	var sum uint64
	for _, length := range lengths {
		sum += length
	}
	for own := range lengths {
		s := newStriper(lengths, own)
		if s.Empty() {
			continue
		}
		for j := int64(0); s.At(j) < n; j++ {
			if s.Scale(s.At(j)) != j || !s.Owns(s.At(j)) {
				t.Fatalf("lengths %v, segment %d: Scale(At(%d)) = %d", lengths, own, j, s.Scale(s.At(j)))
			}
			owner[s.At(j)]++
		}
		exact := float64(n) * float64(lengths[own]) / float64(sum)
		if off := float64(s.Scale(n)) - exact; off >= float64(len(lengths)) || -off >= float64(len(lengths)) {
			t.Fatalf("lengths %v, segment %d: %d of %d, exact %.2f", lengths, own, s.Scale(n), n, exact)
		}
	}
	for index, owners := range owner {
		if owners != 1 {
			t.Fatalf("lengths %v: index %d has %d owners", lengths, index, owners)
		}
	}
}

// In a whole number of periods every share is exact.
func TestPeriodIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		lengths := randomLengths(r)
		var period int64
		for _, length := range lengths {
			period += int64(length)
		}
		for own, length := range lengths {
			if got := newStriper(lengths, own).Scale(7 * period); got != 7*int64(length) {
				t.Fatalf("lengths %v, segment %d: %d of 7 periods, want %d", lengths, own, got, 7*length)
			}
		}
	}
}

func TestAtAllocatesNothing(t *testing.T) {
	s := mustLocate(t, "1/5:3/5", "0,1/5,3/5,1")
	var j, sum int64
	if n := testing.AllocsPerRun(100, func() { sum += s.At(j); j++ }); n != 0 {
		t.Errorf("At allocates %v times", n)
	}
}

func TestLength(t *testing.T) {
	if got := mustParse(t, "1/4:3/4").Length(); got != 0.5 {
		t.Errorf("length %v, want 0.5", got)
	}
	if s := (Segment{}); !s.Whole() || s.String() != "0:1" || s.Length() != 1 {
		t.Errorf("the zero segment is %s", s)
	}
	num, den := mustLocate(t, "1/5:3/5", "0,1/5,3/5,1").Share()
	if num != 2 || den != 5 {
		t.Errorf("share %d/%d, want 2/5", num, den)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"0:1", "1/3:50%", "0.1:0.25", "-1/2:1", "1/2:", "0:1/0", "1__2", ".:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Fatalf("%q reads as %s, which reads as %s (%v)", text, s, again, err)
		}
		if part, err := Locate(s, Sequence{}); err == nil && part.Scale(1000) > 1000 {
			t.Fatalf("%s has %d of 1000", s, part.Scale(1000))
		}
	})
}

func FuzzParseSequence(f *testing.F) {
	for i, seed := range []string{"0,1", "0,1/3,2/3,1", "0,50%,1", ",", "0,2/3,1/3,1"} {
		f.Add(seed, int64(i))
	}
	f.Fuzz(func(t *testing.T, text string, n int64) {
		seq, err := ParseSequence(text)
		if err != nil {
			return
		}
		again, err := ParseSequence(seq.String())
		if err != nil || again.String() != seq.String() {
			t.Fatalf("%q reads as %s, which reads as %s (%v)", text, seq, again, err)
		}
		checkSum(t, seq, n%1_000_000)
	})
}

// checkSum checks that the segments of a complete sequence share n.
func checkSum(t *testing.T, seq Sequence, n int64) {
	lengths, err := lengthsOf(seq)
	if err != nil || len(lengths) > 8 || n < 0 {
		return
	}
	var sum int64
	for own := range lengths {
		sum += newStriper(lengths, own).Scale(n)
	}
	if sum != n {
		t.Fatalf("the segments of %s have %s of %d", seq, strconv.FormatInt(sum, 10), n)
	}
}

func mustParse(t *testing.T, text string) Segment {
	t.Helper()
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustSequence(t *testing.T, text string) Sequence {
	t.Helper()
	if text == "" {
		return Sequence{}
	}
	seq, err := ParseSequence(text)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func mustLocate(t *testing.T, segment, sequence string) Striper {
	t.Helper()
	s, err := Locate(mustParse(t, segment), mustSequence(t, sequence))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
