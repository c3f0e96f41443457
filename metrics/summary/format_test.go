package summary

import (
	"math"
	"testing"

	"github.com/jsload/jsload/metrics"
)

func TestAutoDuration(t *testing.T) {
	tests := map[float64]string{
		0: "0s", 0.0004: "400ns", 1e-7: "0.1ns", 1e-12: "0ns", 0.000999999: "999.99ns", 0.001: "1µs",
		0.29927: "299.27µs", 0.5: "500µs", 0.57: "570µs", 0.9999999: "999.99µs",
		1: "1ms", 1.1: "1.1ms", 2.364: "2.36ms", 505.9998: "505.99ms", 999.9996: "999.99ms",
		1000: "1s", 1234.5678: "1.23s", 59999.999: "59.99s", 60000: "1m0s", 65000: "1m5s", 119999: "1m59s",
		630669.41: "10m30s", 3600000: "1h0m0s", 3723004: "1h2m3s", 360000000: "100h0m0s",
		-5: "-5ms", math.NaN(): "NaN", math.Inf(1): "Infinity", math.Inf(-1): "-Infinity",
	}
	for ms, want := range tests {
		if got := autoDuration(ms); got != want {
			t.Errorf("%v ms: got %s, want %s", ms, got, want)
		}
	}
}

func TestDurationUnits(t *testing.T) {
	tests := []struct {
		unit TimeUnit
		want string
	}{{UnitSeconds, "1.23s"}, {UnitMilliseconds, "1234.57ms"}, {UnitMicroseconds, "1234567.80µs"}}
	for _, tt := range tests {
		f := formatter{unit: tt.unit}
		if got := f.value(1234.5678, metrics.Time); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.unit, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	tests := map[float64]string{
		0: "0", 1: "1", 0.125: "0.125", 12345678: "12345678", 1234567.891: "1234567.891",
		630669.4166666666: "630669.416667", 1e-7: "0", -2.5: "-2.5", 100: "100",
		0.0000005: "0", 1e20: "100000000000000000000", 1e21: "1e+21", 1e300: "1e+300",
		math.NaN(): "NaN",
	}
	for v, want := range tests {
		if got := plain(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

func TestToFixed(t *testing.T) {
	tests := []struct {
		v        float64
		decimals int
		want     string
	}{{0.5, 0, "1"}, {2.5, 0, "3"}, {1.125, 2, "1.13"}, {1.135, 2, "1.14"}, {1.005, 2, "1.00"}, {-1.5, 0, "-2"}, {0.0078125, 6, "0.007813"}}
	for _, tt := range tests {
		if got := toFixed(tt.v, tt.decimals); got != tt.want {
			t.Errorf("toFixed(%v, %d): got %s, want %s", tt.v, tt.decimals, got, tt.want)
		}
	}
}

func TestBytesText(t *testing.T) {
	tests := map[float64]string{
		0: "0 B", 7: "7 B", 0.56: "0.5 B", 10: "10 B", 526: "526 B", 999: "999 B", 1000: "1.0 kB",
		1053: "1.1 kB", 3700: "3.7 kB", 9960: "10 kB", 999960: "1.0 MB", 12345678: "12 MB", 1e12: "1.0 TB",
		5e21: "5000 EB", -1053: "-1.1 kB",
	}
	for v, want := range tests {
		if got := bytesText(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	tests := []struct {
		hits, total uint64
		want, whole string
	}{
		{0, 0, "0.00%", "0%"}, {4, 13, "30.76%", "30%"}, {2, 3, "66.66%", "66%"}, {1, 1, "100.00%", "100%"},
		{99999, 100000, "99.99%", "99%"}, {1, 2000, "0.05%", "0%"}, {1 << 63, math.MaxUint64, "50.00%", "50%"},
	}
	for _, tt := range tests {
		if got := percent(tt.hits, tt.total); got != tt.want {
			t.Errorf("percent(%d, %d) = %s, want %s", tt.hits, tt.total, got, tt.want)
		}
		if got := wholePercent(tt.hits, tt.total); got != tt.whole {
			t.Errorf("wholePercent(%d, %d) = %s, want %s", tt.hits, tt.total, got, tt.whole)
		}
	}
}

func FuzzAutoDuration(f *testing.F) {
	f.Add(1.5)
	f.Add(59999.99999999999)
	f.Add(5e-324)
	f.Add(1.7976931348623157e308)
	f.Fuzz(func(t *testing.T, ms float64) {
		for _, s := range []string{autoDuration(ms), plain(ms), bytesText(ms), (&textWriter{}).short(ms)} {
			if s == "" {
				t.Fatalf("%v is rendered as nothing", ms)
			}
		}
	})
}
