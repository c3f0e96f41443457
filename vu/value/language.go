package value

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// ToUpper is s.toUpperCase().
func ToUpper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(WellFormed(s))
}

// ToLower is s.toLowerCase().
func ToLower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return lowerUnicode(WellFormed(s))
}

// LocaleCompare is a.localeCompare(b), in the order of no language in particular.
func LocaleCompare(a, b string) float64 {
	c := collate.New(language.Und)
	return float64(c.CompareString(norm.NFD.String(WellFormed(a)), norm.NFD.String(WellFormed(b))))
}

// lowerUnicode mends the one place where the library sees a sigma at the end of a
// word that the language does not: behind a lone iota subscript.
func lowerUnicode(s string) string {
	s = cases.Lower(language.Und).String(s)
	if !strings.Contains(s, "\u0345\u03c2") {
		return s
	}
	r := []rune(s)
	for i := 0; i < len(r)-1; i++ {
		if r[i] == 0x345 && r[i+1] == 0x3C2 && (i == 0 || r[i-1] != 0x3B1) {
			i++
			r[i] = 0x3C3
		}
	}
	return string(r)
}

// Normalize is s.normalize(form).
func Normalize(s, form string) (string, error) {
	f, ok := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}[form]
	if !ok {
		return "", RangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD")
	}
	if isASCII(s) {
		return s, nil
	}
	return f.String(WellFormed(s)), nil
}
