package threshold

import (
	"math"
	"strings"
	"testing"

	"github.com/jsload/jsload/metrics"
)

func TestParse(t *testing.T) {
	tests := []struct {
		source string
		want   string
	}{
		{"count>0", "count>0"},
		{"  avg  <  20.5 ", "avg<20.5"},
		{"p(95.5)>=0.5", "p(95.5)>=0.5"},
		{"p(0)<1", "p(0)<1"},
		{"p(100)<1", "p(100)<1"},
		{"max>-1", "max>-1"},
		{"avg===20", "avg==20"},
		{"med==1e3", "med==1000"},
		{"rate!=.5", "rate!=0.5"},
		{"value<=+7", "value<=7"},
		{"min\t<\n0x10p0", "min<16"},
	}
	for _, tt := range tests {
		e, err := Parse(tt.source)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.source, err)
			continue
		}
		if e.String() != tt.want || e.Source != tt.source {
			t.Errorf("Parse(%q) = %v with source %q, want %v", tt.source, e, e.Source, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ source, want string }{
		{"", "does not begin with an aggregation method"},
		{"count", "no comparison"},
		{"count is big", "no comparison"},
		{"count>", "number after the comparison is missing"},
		{"count>abc", `"abc" is not a number`},
		{"count>1e999", "not a number"},
		{"count>1 2", "not a number"},
		{"count=1", "no comparison"},
		{"count=<1", "no comparison"},
		{"count<>1", "not a number"},
		{"median<1", `unknown aggregation method "median"`},
		{"Count<1", "does not begin"},
		{"p95<1", "percentile is written p(N)"},
		{"p(95<1", `")" of p(N) is missing`},
		{"p(101)<1", "out of range"},
		{"p(-1)<1", "out of range"},
		{"p(nan)<1", "out of range"},
		{"p()<1", "not a number"},
		{"p( 95 )<1", "not a number"},
		{"rate<10%", "not a number"},
	}
	for _, tt := range tests {
		_, err := Parse(tt.source)
		if err == nil {
			t.Errorf("Parse(%q) succeeded", tt.source)
			continue
		}
		if got := err.Error(); !strings.HasPrefix(got, "failed parsing threshold expression ") || !strings.Contains(got, tt.want) {
			t.Errorf("Parse(%q): %q does not say %q", tt.source, got, tt.want)
		}
	}
}

func TestHolds(t *testing.T) {
	tests := []struct {
		source string
		// below, at, above: the verdicts on 9, 10 and 11.
		below, at, above bool
	}{
		{"value<10", true, false, false},
		{"value<=10", true, true, false},
		{"value>10", false, false, true},
		{"value>=10", false, true, true},
		{"value==10", false, true, false},
		{"value===10", false, true, false},
		{"value!=10", true, false, true},
	}
	for _, tt := range tests {
		e, err := Parse(tt.source)
		if err != nil {
			t.Fatal(err)
		}
		if e.Holds(9) != tt.below || e.Holds(10) != tt.at || e.Holds(11) != tt.above {
			t.Errorf("%s: got %v %v %v", tt.source, e.Holds(9), e.Holds(10), e.Holds(11))
		}
		if e.Holds(math.NaN()) != (e.Op == NotEqual) {
			t.Errorf("%s holds for NaN: %v", tt.source, e.Holds(math.NaN()))
		}
	}
	if (Expr{}).Holds(0) {
		t.Error("the zero expression holds")
	}
}

func TestSupports(t *testing.T) {
	const all = "count rate value avg min max med p(95)"
	supported := map[metrics.Kind]string{
		metrics.Counter: "count rate",
		metrics.Gauge:   "value",
		metrics.Rate:    "rate",
		metrics.Trend:   "avg min max med p(95)",
	}
	for kind, names := range supported {
		for method := range strings.FieldsSeq(all) {
			e, err := Parse(method + "<1")
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Contains(" "+names+" ", " "+method+" ")
			if err := e.Supports(kind); (err == nil) != want {
				t.Errorf("%s on %s: %v", method, kind, err)
			}
		}
	}
	e, _ := Parse("p(95)<1")
	const want = "unsupported aggregation method p on metric of type counter. supported aggregation methods for this metric are: count, rate"
	if got := e.Supports(metrics.Counter).Error(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"p(95)<500", "rate>0.99", " avg === 1e3 ", "p(99.9)!=-0", "count>nan", "max<inf", "p(", "p()"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		e, err := Parse(source)
		if err != nil {
			if e != (Expr{}) {
				t.Fatalf("an error and an expression: %v", e)
			}
			return
		}
		if e.Quantile < 0 || e.Quantile > 100 {
			t.Fatalf("quantile %v", e.Quantile)
		}
		again, err := Parse(e.String())
		if err != nil {
			t.Fatalf("%q became %q: %v", source, e.String(), err)
		}
		if again.String() != e.String() {
			t.Fatalf("%q became %q became %q", source, e.String(), again.String())
		}
		for _, v := range []float64{0, -1, e.Bound, math.Inf(1)} {
			if e.Holds(v) != again.Holds(v) {
				t.Fatalf("%q and %q differ on %v", source, e.String(), v)
			}
		}
	})
}
