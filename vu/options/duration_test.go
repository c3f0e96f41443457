package options

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"1m30s", 90 * time.Second, true},
		{"1h2m3.5s", time.Hour + 2*time.Minute + 3500*time.Millisecond, true},
		{"250us", 250 * time.Microsecond, true},
		{"7ns", 7, true},
		{"500", 500 * time.Millisecond, true}, // a bare number is milliseconds
		{"0.1", 100 * time.Microsecond, true},
		{"1e3", time.Second, true},
		{"0", 0, true},
		{"-0", 0, true},
		{" 2s ", 2 * time.Second, true},
		{"2d", 48 * time.Hour, true},
		{"1d12h", 36 * time.Hour, true},
		{"-1d12h", -36 * time.Hour, true},
		{"-5s", -5 * time.Second, true},
		{"1e-300", 0, true},
		{"", 0, false},
		{"d", 0, false},
		{"s", 0, false},
		{"1.5d", 0, false},
		{"1d-2h", 0, false},
		{"--5s", 0, false},
		{"-+5s", 0, false},
		{"1 m", 0, false},
		{"soon", 0, false},
		{"1e30", 0, false},
		{"200000d", 0, false},
		{"106751d24h", 0, false},
		{"NaN", 0, false},
		{"1.2.3", 0, false},
	}
	for _, test := range tests {
		got, err := ParseDuration(test.text)
		if (err == nil) != test.ok || got.Std() != test.want {
			t.Errorf("%q = %v, %v; want %v, ok %v", test.text, got, err, test.want, test.ok)
		}
	}
}

func TestParseFlagDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  string
	}{
		{"10s", 10 * time.Second, ""},
		{"0", 0, ""},
		{"10", 0, `"10" needs a unit, such as 10s or 10ms`},
		{"1d", 0, `"1d" is not a duration, such as "1m30s"`},
		{"", 0, `"" is not a duration, such as "1m30s"`},
	}
	for _, test := range tests {
		got, err := ParseFlagDuration(test.text)
		if got.Std() != test.want || errorText(err) != test.err {
			t.Errorf("%q = %v, %v; want %v, %s", test.text, got, err, test.want, test.err)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// What a duration prints reads as the same duration.
func FuzzParseDuration(f *testing.F) {
	for _, seed := range []string{"1m30s", "500", "-1d12h", "1e30", "0.0001", "9223372036854775807ns", "-106751d23h47m16.854775808s", "1e-999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil {
			return
		}
		again, err := ParseDuration(d.String())
		if err != nil || again != d {
			t.Fatalf("%q reads as %v, which reads as %v (%v)", text, d, again, err)
		}
	})
}
