package globals

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// part is a piece of formatted text with what it is.
type part struct{ kind, text string }

func joined(parts []part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// numberStyle is how Intl.NumberFormat writes numbers in English. Fields are
// named after the options.
type numberStyle struct {
	style, currency, currencyDisplay, currencySign string
	unit, unitDisplay                              string
	notation, compactDisplay, signDisplay          string
	grouping                                       string // "always", "min2" or "" for none
	minInteger, minFraction, maxFraction           int
	minSignificant, maxSignificant                 int  // 0: digits behind the point count instead
	rounded                                        bool // the script says how many digits
}

// format writes a number that is finite.
func (s *numberStyle) format(d decimal) []part {
	if s.style == "percent" {
		d.point += 2 * min(1, len(d.digits))
	}
	exponent := 0
	switch s.notation {
	case "compact":
		exponent = s.compact(&d)
	case "scientific", "engineering":
		exponent = s.scientific(&d)
	default:
		s.round(&d)
	}
	number := s.digits(d)
	switch {
	case s.notation == "compact" && exponent > 0:
		number = append(number, compactSuffix(exponent, s.compactDisplay == "long")...)
	case s.notation == "scientific" || s.notation == "engineering":
		number = append(number, part{"exponentSeparator", "E"})
		if exponent < 0 {
			number = append(number, part{"exponentMinusSign", "-"})
		}
		number = append(number, part{"exponentInteger", strconv.Itoa(max(exponent, -exponent))})
	}
	return s.dress(number, d.negative, d.isZero(), d.isOne())
}

// special writes what is no finite number.
func (s *numberStyle) special(f float64) []part {
	if math.IsNaN(f) {
		return s.dress([]part{{"nan", "NaN"}}, false, true, false)
	}
	return s.dress([]part{{"infinity", "∞"}}, f < 0, false, false)
}

// isOne tells whether the number is 1 in words: "1 second".
func (d *decimal) isOne() bool { return d.point == 1 && string(d.digits) == "1" }

func (s *numberStyle) round(d *decimal) {
	if s.maxSignificant > 0 {
		d.roundSignificant(s.maxSignificant)
		return
	}
	d.round(s.maxFraction)
}

// compact scales d to a number of at most three digits before the point, and
// returns by how many.
func (s *numberStyle) compact(d *decimal) int {
	scale := func(point int) int {
		if d.isZero() {
			return 0
		}
		return min(max((point-1)/3*3, 0), 12)
	}
	exponent := scale(d.point)
	d.point -= exponent
	s.roundCompact(d)
	if again := scale(d.point + exponent); again != exponent { // 999,999 is 1M
		d.point -= again - exponent
		exponent = again
	}
	return exponent
}

func (s *numberStyle) roundCompact(d *decimal) {
	switch {
	case s.rounded:
		s.round(d)
	case d.point >= 2:
		d.round(0)
	default:
		d.roundSignificant(2)
	}
}

// scientific scales d to one digit before the point, or to three at most for
// engineering, and returns by how many.
func (s *numberStyle) scientific(d *decimal) int {
	scale := func(point int) int {
		e := point - 1
		if s.notation == "engineering" {
			e -= ((e % 3) + 3) % 3
		}
		return e
	}
	if d.isZero() {
		return 0
	}
	exponent := scale(d.point)
	d.point -= exponent
	s.round(d)
	if again := scale(d.point + exponent); again != exponent {
		d.point -= again - exponent
		exponent = again
	}
	return exponent
}

func compactSuffix(exponent int, long bool) []part {
	if long {
		return []part{{"literal", " "}, {"compact", [...]string{"", "thousand", "million", "billion", "trillion"}[exponent/3]}}
	}
	return []part{{"compact", [...]string{"", "K", "M", "B", "T"}[exponent/3]}}
}

// digits writes a rounded number without sign.
func (s *numberStyle) digits(d decimal) []part {
	integer, fraction := d.text()
	integer = pad(integer, s.minInteger, true)
	if s.maxSignificant > 0 {
		shown := len(d.digits)
		if d.point > 0 {
			shown = max(shown, d.point)
		}
		if missing := s.minSignificant - max(shown, 1); missing > 0 {
			fraction += strings.Repeat("0", missing)
		}
	} else if s.notation != "compact" || s.rounded {
		fraction = pad(fraction, s.minFraction, false)
	}
	parts := s.grouped(integer)
	if fraction != "" {
		parts = append(parts, part{"decimal", "."}, part{"fraction", fraction})
	}
	return parts
}

func pad(s string, length int, left bool) string {
	zeros := strings.Repeat("0", max(0, length-len(s)))
	if left {
		return zeros + s
	}
	return s + zeros
}

func (s *numberStyle) grouped(integer string) []part {
	first := 4
	if s.grouping == "min2" {
		first = 5
	}
	if s.grouping == "" || len(integer) < first {
		return []part{{"integer", integer}}
	}
	var parts []part
	for head := (len(integer)-1)%3 + 1; ; head = 3 {
		parts = append(parts, part{"integer", integer[:head]})
		if integer = integer[head:]; integer == "" {
			return parts
		}
		parts = append(parts, part{"group", ","})
	}
}

// dress adds sign, currency, percent sign or unit.
func (s *numberStyle) dress(number []part, negative, zero, one bool) []part {
	sign := s.sign(negative, zero)
	accounting := sign == "-" && s.style == "currency" && s.currencySign == "accounting"
	var before, after []part
	switch s.style {
	case "currency":
		before, after = s.currencyParts(one)
	case "percent":
		after = []part{{"percentSign", "%"}}
	case "unit":
		after = unitParts(s.unit, s.unitDisplay, one)
	}
	parts := slices.Concat(before, number, after)
	switch {
	case accounting:
		return slices.Concat([]part{{"literal", "("}}, parts, []part{{"literal", ")"}})
	case sign == "-":
		return append([]part{{"minusSign", sign}}, parts...)
	case sign == "+":
		return append([]part{{"plusSign", sign}}, parts...)
	}
	return parts
}

func (s *numberStyle) sign(negative, zero bool) string {
	switch {
	case s.signDisplay == "never", s.signDisplay == "exceptZero" && zero, s.signDisplay == "negative" && zero:
		return ""
	case negative:
		return "-"
	case s.signDisplay == "always", s.signDisplay == "exceptZero":
		return "+"
	}
	return ""
}

const nbsp = "\u00A0"

func (s *numberStyle) currencyParts(one bool) (before, after []part) {
	switch s.currencyDisplay {
	case "code":
		return []part{{"currency", s.currency}, {"literal", nbsp}}, nil
	case "name":
		return nil, []part{{"literal", " "}, {"currency", currencyName(s.currency, one)}}
	}
	symbol := currencySymbol(s.currency, s.currencyDisplay == "narrowSymbol")
	before = []part{{"currency", symbol}}
	if symbol == s.currency {
		before = append(before, part{"literal", nbsp})
	}
	return before, nil
}

func currencySymbol(code string, narrow bool) string {
	symbol, ok := map[string]string{
		"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥", "KRW": "₩", "BRL": "R$", "CAD": "CA$", "AUD": "A$",
		"MXN": "MX$", "NZD": "NZ$", "HKD": "HK$", "TWD": "NT$", "ILS": "₪", "VND": "₫", "PHP": "₱",
	}[code]
	if !ok {
		return code
	}
	if narrow && symbol != "R$" {
		symbol = strings.TrimLeft(symbol, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	}
	return symbol
}

func currencyName(code string, one bool) string {
	names, ok := map[string][2]string{
		"USD": {"US dollar", "US dollars"}, "EUR": {"euro", "euros"}, "GBP": {"British pound", "British pounds"},
		"JPY": {"Japanese yen", "Japanese yen"}, "INR": {"Indian rupee", "Indian rupees"}, "CNY": {"Chinese yuan", "Chinese yuan"},
		"CHF": {"Swiss franc", "Swiss francs"}, "CAD": {"Canadian dollar", "Canadian dollars"}, "AUD": {"Australian dollar", "Australian dollars"},
	}[code]
	switch {
	case !ok:
		return code
	case one:
		return names[0]
	}
	return names[1]
}

// currencyDigits is the number of digits that a currency has behind the point.
func currencyDigits(code string) int {
	switch code {
	case "JPY", "KRW", "VND", "CLP", "ISK", "PYG", "UGX", "XAF", "XOF", "XPF", "KMF", "GNF", "RWF", "DJF", "BIF", "VUV":
		return 0
	case "BHD", "KWD", "OMR", "JOD", "TND", "IQD", "LYD":
		return 3
	}
	return 2
}

// unitNames are the names of a unit: short for one, short for more, narrow, and
// long for one. A space before a name stands there in the text as well.
func unitNames(unit string) (names [4]string, ok bool) {
	names, ok = map[string][4]string{
		"bit": {" bit", " bit", "bit", " bit"}, "byte": {" byte", " byte", "B", " byte"},
		"kilobyte": {" kB", " kB", "kB", " kilobyte"}, "megabyte": {" MB", " MB", "MB", " megabyte"},
		"gigabyte": {" GB", " GB", "GB", " gigabyte"}, "terabyte": {" TB", " TB", "TB", " terabyte"}, "petabyte": {" PB", " PB", "PB", " petabyte"},
		"kilobit": {" kb", " kb", "kb", " kilobit"}, "megabit": {" Mb", " Mb", "Mb", " megabit"}, "gigabit": {" Gb", " Gb", "Gb", " gigabit"},
		"nanosecond": {" ns", " ns", "ns", " nanosecond"}, "microsecond": {" μs", " μs", "μs", " microsecond"},
		"millisecond": {" ms", " ms", "ms", " millisecond"}, "second": {" sec", " sec", "s", " second"},
		"minute": {" min", " min", "m", " minute"}, "hour": {" hr", " hr", "h", " hour"}, "day": {" day", " days", "d", " day"},
		"week": {" wk", " wks", "w", " week"}, "month": {" mth", " mths", "m", " month"}, "year": {" yr", " yrs", "y", " year"},
		"percent": {"%", "%", "%", " percent"}, "celsius": {"°C", "°C", "°C", " degree Celsius"},
		"meter": {" m", " m", "m", " meter"}, "kilometer": {" km", " km", "km", " kilometer"}, "centimeter": {" cm", " cm", "cm", " centimeter"},
		"millimeter": {" mm", " mm", "mm", " millimeter"}, "mile": {" mi", " mi", "mi", " mile"},
		"gram": {" g", " g", "g", " gram"}, "kilogram": {" kg", " kg", "kg", " kilogram"}, "liter": {" L", " L", "L", " liter"},
	}[unit]
	return names, ok
}

// unitParts writes a unit or a rate such as megabyte-per-second.
func unitParts(unit, display string, one bool) []part {
	name, per, rate := strings.Cut(unit, "-per-")
	text := unitText(name, display, one)
	if rate {
		switch display {
		case "long":
			text += " per" + unitText(per, display, true)
		default:
			text += "/" + rateUnit(per)
		}
	}
	if bare, ok := strings.CutPrefix(text, " "); ok {
		return []part{{"literal", " "}, {"unit", bare}}
	}
	return []part{{"unit", text}}
}

func unitText(unit, display string, one bool) string {
	names, _ := unitNames(unit) // known: it was checked when the format was made
	switch {
	case display == "narrow":
		return names[2]
	case display == "long":
		if one || unit == "percent" {
			return names[3]
		}
		if unit == "celsius" {
			return " degrees Celsius"
		}
		return names[3] + "s"
	case one:
		return names[0]
	}
	return names[1]
}

func rateUnit(unit string) string {
	switch unit {
	case "second", "hour":
		return unit[:1]
	}
	return strings.TrimSpace(unitText(unit, "short", true))
}

// knownUnit tells whether a unit, or both of a rate, can be written.
func knownUnit(unit string) bool {
	name, per, rate := strings.Cut(unit, "-per-")
	_, ok := unitNames(name)
	if rate {
		_, perOK := unitNames(per)
		ok = ok && perOK
	}
	return ok
}
