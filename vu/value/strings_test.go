package value

import (
	"math"
	"testing"
)

// position is an argument that may be missing.
func position(v Value, missing float64) float64 {
	if v.IsUndefined() {
		return missing
	}
	return ToNumber(v)
}

var end = math.Inf(1)

func text1(f func(s string) string) func(a, b, c Value) (Value, error) {
	return pure(func(a, _, _ Value) Value { return Str(f(a.Text())) })
}

var textMethods = []operation{
	{"a.length", pure(func(a, _, _ Value) Value { return Int(Length(a.Text())) })},
	{"[...a]", pure(func(a, _, _ Value) Value { return Array(StringItems(a.Text())...) })},
	{"a.trim()", text1(Trim)},
	{"a.trimStart()", text1(TrimStart)},
	{"a.trimEnd()", text1(TrimEnd)},
	{"a.toUpperCase()", text1(ToUpper)},
	{"a.toLowerCase()", text1(ToLower)},
	{"a.normalize()", func(a, _, _ Value) (Value, error) { return str(Normalize(a.Text(), "NFC")) }},
	{"a.normalize('NFKD')", func(a, _, _ Value) (Value, error) { return str(Normalize(a.Text(), "NFKD")) }},
	{"a.normalize('X')", func(a, _, _ Value) (Value, error) { return str(Normalize(a.Text(), "X")) }},
}

var placeMethods = []operation{
	{"a.charAt(b)", pure(func(a, b, _ Value) Value { return Str(CharAt(a.Text(), ToNumber(b))) })},
	{"a.at(b)", pure(func(a, b, _ Value) Value { return StringAt(a.Text(), ToNumber(b)) })},
	{"a.charCodeAt(b)", pure(func(a, b, _ Value) Value { return Number(CharCodeAt(a.Text(), ToNumber(b))) })},
	{"a.codePointAt(b)", pure(func(a, b, _ Value) Value { return CodePointAt(a.Text(), ToNumber(b)) })},
	{"a.repeat(b > 1000 ? 3 : b)", func(a, b, _ Value) (Value, error) {
		if less(Int(1000), b).IsTrue() {
			b = Int(3)
		}
		return str(Repeat(a.Text(), ToNumber(b)))
	}},
	{"a.slice(b, c)", pure(func(a, b, c Value) Value { return Str(Slice(a.Text(), ToNumber(b), position(c, end))) })},
	{"a.substring(b, c)", pure(func(a, b, c Value) Value { return Str(Substring(a.Text(), ToNumber(b), position(c, end))) })},
	{"a.substr(b, c)", pure(func(a, b, c Value) Value { return Str(Substr(a.Text(), ToNumber(b), position(c, end))) })},
}

var searchMethods = []operation{
	{"a.indexOf(b, c)", pure(func(a, b, c Value) Value { return Int(IndexOf(a.Text(), b.Text(), ToNumber(c))) })},
	{"a.lastIndexOf(b, c)", pure(func(a, b, c Value) Value { return Int(LastIndexOf(a.Text(), b.Text(), ToNumber(c))) })},
	{"a.includes(b, c)", pure(func(a, b, c Value) Value { return Bool(Includes(a.Text(), b.Text(), ToNumber(c))) })},
	{"a.startsWith(b, c)", pure(func(a, b, c Value) Value { return Bool(StartsWith(a.Text(), b.Text(), ToNumber(c))) })},
	{"a.endsWith(b, c)", pure(func(a, b, c Value) Value { return Bool(EndsWith(a.Text(), b.Text(), position(c, end))) })},
	{"a.split(b, c)", pure(func(a, b, c Value) Value {
		limit := -1
		if !c.IsUndefined() {
			limit = int(ToUint32(c))
		}
		return Array(Split(a.Text(), b.Text(), limit)...)
	})},
	{"a.padStart(c > 1000 ? 9 : c, b)", func(a, b, c Value) (Value, error) {
		return str(PadStart(a.Text(), padLength(c), b.Text()))
	}},
	{"a.padEnd(c > 1000 ? 9 : c, b)", func(a, b, c Value) (Value, error) {
		return str(PadEnd(a.Text(), padLength(c), b.Text()))
	}},
}

func padLength(c Value) float64 {
	if less(Int(1000), c).IsTrue() {
		return 9
	}
	return ToNumber(c)
}

var pairMethods = []operation{
	{"a.concat(b)", pure(func(a, b, _ Value) Value { return Str(Concat(a.Text(), b.Text())) })},
	{"a.localeCompare(b)", pure(func(a, b, _ Value) Value { return Number(LocaleCompare(a.Text(), b.Text())) })},
	{"a < b", pure(func(a, b, _ Value) Value { return less(a, b) })},
}

var replaceMethods = []operation{
	{"a.replace(b, c)", func(a, b, c Value) (Value, error) {
		return str(Replace(a.Text(), b.Text(), Expand(c.Text())))
	}},
	{"a.replaceAll(b, c)", func(a, b, c Value) (Value, error) {
		return str(ReplaceAll(a.Text(), b.Text(), Expand(c.Text())))
	}},
	{"a.replaceAll(b, (m, i, s) => m + c + i + s.length)", func(a, b, c Value) (Value, error) {
		return str(ReplaceAll(a.Text(), b.Text(), func(s string, f *Found) (string, error) {
			return s[f.Start:f.End] + c.Text() + FormatNumber(float64(Length(s[:f.Start]))) + FormatNumber(float64(Length(s))), nil
		}))
	}},
}

func nastyPositions() []Value {
	list := []Value{Undefined, Number(math.NaN()), Number(end), Number(-end), Number(1.9), Number(-1.9), Int(1e10)}
	for i := range 10 {
		list = append(list, Int(i-4))
	}
	return list
}

func TestStrings(t *testing.T) {
	o := newOracle(t)
	for _, s := range nastyStrings() {
		for _, op := range textMethods {
			o.agree(op, Str(s))
		}
		for _, b := range nastyPositions() {
			for _, c := range nastyPositions() {
				for _, op := range placeMethods {
					o.agree(op, Str(s), b, c)
				}
			}
		}
	}
}

func TestSearch(t *testing.T) {
	o := newOracle(t)
	for _, s := range nastyStrings() {
		for _, part := range nastyStrings() {
			for _, op := range pairMethods {
				o.agree(op, Str(s), Str(part))
			}
		}
		for _, part := range []string{"", "a", "b", "abc", "😀", "é", "1", " ", "X", FromUnits([]uint16{0xD83D}), FromUnits([]uint16{0xDE00}), s} {
			for _, c := range nastyPositions() {
				for _, op := range searchMethods {
					o.agree(op, Str(s), Str(part), c)
				}
			}
			for _, with := range []string{"", "x", "$&$&", "$$", "$1", "$`-$'", "$<a>", "$", "é$&", FromUnits([]uint16{0xDE00}), FromUnits([]uint16{0xD83D})} {
				o.agreeReplace(Str(s), Str(part), Str(with))
			}
		}
	}
}

func (o *oracle) agreeReplace(s, part, with Value) {
	o.t.Helper()
	ops := replaceMethods
	if part.Text() == "" {
		ops = ops[:1] // the engine never comes back from replaceAll of nothing
	}
	for _, op := range ops {
		o.agree(op, s, part, with)
	}
}

func TestReplaceAllOfNothing(t *testing.T) {
	for s, want := range map[string]string{"": "-", "ab": "-a-b-", "é": "-é-"} {
		if got, err := ReplaceAll(s, "", Expand("-")); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", s, got, err, want)
		}
	}
}

func TestCharCodes(t *testing.T) {
	o := newOracle(t)
	ops := []operation{
		{"String.fromCharCode(a, b)", pure(func(a, b, _ Value) Value { return Str(FromCharCode(ToNumber(a), ToNumber(b))) })},
		{"String.fromCodePoint(a, b)", func(a, b, _ Value) (Value, error) { return str(FromCodePoint(ToNumber(a), ToNumber(b))) }},
	}
	codes := []float64{0, 65, 65.5, -1, 0xE9, 0xD83D, 0xDE00, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF, 0x110000, math.NaN(), end}
	for _, a := range codes {
		for _, b := range codes {
			for _, op := range ops {
				o.agree(op, Number(a), Number(b))
			}
		}
	}
}

// FuzzStrings takes two texts of UTF-16 units: each byte pair is one.
func FuzzStrings(f *testing.F) {
	for _, s := range nastyStrings() {
		f.Add(s, "a", uint16(0xD83D), 1, 3)
	}
	o := newOracle(f)
	f.Fuzz(func(t *testing.T, s, part string, u uint16, i, j int) {
		if len(s) > 200 || len(part) > 20 {
			return
		}
		o.t = t
		a, b := Str(Concat(Clean(s), string(appendUnit(nil, u)))), Str(Clean(part))
		if u&1 != 0 {
			b = Str(Concat(string(appendUnit(nil, u&^0x400)), Clean(part)))
		}
		for _, op := range textMethods {
			o.agree(op, a)
		}
		for _, op := range placeMethods {
			o.agree(op, a, Int(i%50), Int(j%50))
		}
		for _, op := range searchMethods {
			o.agree(op, a, b, Int(i%50))
		}
		for _, op := range pairMethods {
			o.agree(op, a, b)
		}
		o.agreeReplace(a, b, b)
	})
}
