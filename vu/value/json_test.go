package value

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

var parse = operation{"JSON.parse(a)", func(a, _, _ Value) (Value, error) { return JSONParse(ToString(a)) }}

func nastyJSON() []string {
	return []string{
		`{"z":1,"a":[1,2.5,-0.5,1e3,true,false,null,"x"],"o":{}}`, " [ ] ", "\t{\r\n}\n", `"é\u00e9\n\"\\\/\b\f\r\t"`, `"\ud83d\ude00😀"`,
		`{"a":1,"a":2}`, `{"":1}`, `{"__proto__":{"x":1}}`, `{"b":1,"2":1,"1":1,"01":1,"4294967294":1,"4294967295":1}`, `12345678901234567890`, `9007199254740993`, `-0`, `0.1e-2`,
		"", " ", "{", "[1,]", `{"a"}`, `{"a":}`, "{a:1}", "[1 2]", "01", "1.", ".5", "1e", "+1", "-", "nul", "truex", `"a`, "\"\n\"", `"\x"`, `"\u12"`, `"\u12g4"`, `"\`, "[] []", `{"a":1,}`, "]", "}", "[}", "{]",
		"1 2", "null null", `{"a":1}}`, "[[]", `{"a":{`, `{1:2}`, `{"a":1 "b":2}`, `[,]`, "undefined", "NaN", "'a'", "[1,2", `{"a":1,"b"`, "\ufeff{}", `"a" x`, "[\"\u2028\"]",
	}
}

func TestJSONParse(t *testing.T) {
	o := newOracle(t)
	for _, text := range nastyJSON() {
		o.agree(parse, Str(text))
	}
	for _, v := range nastyValues() {
		if !strings.HasSuffix(ToString(v), "1e1000") { // which the script tier's own reader takes
			o.agree(parse, v)
		}
	}
	for text, want := range map[string]string{
		`"\ud800"`: "\"<d800>\"", `"\ud83d\ude00"`: `"<d83d><de00>"`, "1e999": "+Inf(7ff0000000000000)", "\"\xff\xfe\"": `"<fffd><fffd>"`, "\"\xed\xa0\x80\\n\xed\"": "\"<fffd><fffd><fffd>\n<fffd>\"",
	} {
		if got := result(ReadJSON(text, builder{})); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestJSONDepth(t *testing.T) {
	for _, open := range []string{"[", `{"a":`} {
		deep := strings.Repeat(open, 1_000_000)
		if _, err := JSONParse(deep); err == nil || err.Error() != "SyntaxError: JSON is nested deeper than 10000 levels" {
			t.Errorf("%s: %v", open, err)
		}
		if _, err := ReadJSON(deep, builder{}); !errors.Is(err, ErrJSONDepth) {
			t.Errorf("%s: %v", open, err)
		}
		if ValidJSON([]byte(deep)) {
			t.Errorf("%s: valid", open)
		}
	}
	for n, want := range map[int]bool{MaxJSONDepth: true, MaxJSONDepth + 1: false} {
		text := strings.Repeat("[", n) + strings.Repeat("]", n)
		if _, err := JSONParse(text); (err == nil) != want || ValidJSON([]byte(text)) != want {
			t.Errorf("%d levels: %v, %v", n, err, ValidJSON([]byte(text)))
		}
		object := []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n))
		if got := NewSelector("a.a.a.a").Value(object).Kind() == KindObject; got != want {
			t.Errorf("selecting in %d levels: %v", n, got)
		}
	}
}

var stringify = operation{"JSON.stringify(a, b, c)", func(a, b, c Value) (Value, error) { return JSONStringify(a, b, c) }}

func TestJSONStringify(t *testing.T) {
	o := newOracle(t)
	nested, _ := JSONParse(`{"a":[],"b":{"c":1,"d":{}},"e":[[],[1,{"x":null}]],"z":"q","2":3,"1":[{}]}`)
	holes := Array(hole, Undefined, Int(1), nested)
	values := append(nastyValues(), nested, holes, Array(nested, Array(Undefined)))
	own := NewObject(0)
	own.Define("u", Undefined)
	own.Define("n", Number(1e21))
	own.Define("date", Ref(&Date{ms: 1700000000123}))
	values = append(values, Of(own), Ref(&Date{ms: 0}))
	for _, v := range values {
		o.agree(stringify, v, Undefined, Undefined)
		for _, space := range []Value{Int(2), Int(20), Int(-1), Number(1.9), Str("\t"), Str("0123456789abc"), Str("--"), True, Null, Str("")} {
			o.agree(stringify, v, Null, space)
		}
		o.agree(stringify, v, Array(Str("c"), Str("b"), Int(1), Str("b"), Null, Str("a"), Str("0")), Int(1))
	}
	ring := NewArray(nil)
	ring.items = append(ring.items, Of(ring))
	if _, err := JSONStringify(Of(ring), Undefined, Undefined); err == nil || err.Error() != "TypeError: Converting circular structure to JSON" {
		t.Errorf("circular: %v", err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, text := range nastyJSON() {
		f.Add(text)
	}
	o := newOracle(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		o.t = t
		text = Clean(text)
		if got, want := ValidJSON([]byte(text)), gjson.Valid(text); got != want && !tooDeep(text) {
			t.Errorf("valid: got %v, want %v", got, want)
		}
		v, err := JSONParse(text)
		if !tooDeep(text) && !strings.Contains(text, `\u`) && (err != nil || json.Valid([]byte(text)) && !strings.ContainsAny(text, "eE")) {
			o.agree(parse, Str(text)) // the engine has no lone halves and refuses 1e999
		}
		if err != nil {
			return
		}
		again, err := JSONStringify(v, Undefined, Int(1))
		if err != nil {
			t.Fatal(err)
		}
		o.agree(stringify, v, Undefined, Int(1))
		back, err := JSONParse(again.Text())
		if err != nil {
			t.Fatalf("%s: %v", again.Text(), err)
		}
		if got, _ := JSONStringify(back, Undefined, Int(1)); got.Text() != again.Text() {
			t.Errorf("%s becomes %s", again.Text(), got.Text())
		}
	})
}

// selected is what the script tier makes of a path.
func selected(body, path string) string {
	if tooDeep(body) || !gjson.Valid(body) {
		return "undefined"
	}
	found := gjson.Get(body, path)
	switch {
	case !found.Exists():
		return "undefined"
	case found.Type == gjson.Number && found.Raw == "":
		return describeNumber(found.Num)
	}
	return result(ReadJSON(found.Raw, builder{}))
}

func TestSelector(t *testing.T) {
	body := `{"a":{"b":[10,{"c":"x\u0041"},[],{"c":2}],"a":1},"a":2,"0":"zero","\u0062":{"b-1":true},"n":null,"e":"","é":1,"s":"\ud83d"} `
	for _, path := range []string{
		"a", "a.b", "a.b.0", "a.b.1.c", "a.b.01.c", "a.b.9", "a.b.x", "a.b.-1", "a.a", "0", "b", "b.b-1", "b.b-1.x", "n", "n.x", "e", "s", "zz", "a.b.#", "a.b.#.c", "a.b.#(c==2).c",
		"", ".", "a.", ".a", "a..b", "é", "a*", "@this", "a|b", "[a,b]", "{a,b}", "a.b.@reverse", "a.b.1.c.0", "a.b.999999999999999999999",
	} {
		for _, b := range []string{body, `[` + body + `]`, body + "x", "{", "", "7", `"a"`, `[1,[2,[3]]]`, "[]", "{}", ` [ ]`, `{"a" : [ ] , "b" : 1 }`, `{"a":1`, `[0,{"a":1}]`} {
			if got, want := describe(NewSelector(path).Value([]byte(b))), selected(b, path); got != want {
				t.Errorf("%s in %s: got %s, want %s", path, b, got, want)
			}
		}
	}
}

func FuzzSelector(f *testing.F) {
	f.Add(`{"a":{"b":[10,{"c":"x"}]}}`, "a.b.1.c")
	f.Add(`[{"a\u0062":1,"ab":2}]`, "0.ab")
	f.Add(`{"a":1,"a":{"b":2}}`, "a.b")
	f.Add(`{"\\":1,"\"":{"":2}}`, "a")
	f.Fuzz(func(t *testing.T, body, path string) {
		if got, want := describe(NewSelector(path).Value([]byte(body))), selected(body, path); got != want && NewSelector(path).Plain() {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestJSONAllocatesNothing(t *testing.T) {
	body := []byte(`{"id":17,"user":{"name":"Anna","tags":["a","b\n"]},"token":"abc"}`)
	token, missing, id := NewSelector("token"), NewSelector("user.tags.7.x"), NewSelector("id")
	object, _ := JSONParse(string(body))
	buf := make([]byte, 0, 512)
	for name, f := range map[string]func(){
		"select":    func() { _, _ = token.Raw(body); _, _ = missing.Raw(body); _ = missing.Value(body) },
		"number":    func() { _ = id.Value(body) },
		"valid":     func() { _ = ValidJSON(body) },
		"stringify": func() { buf, _, _ = AppendJSON(buf[:0], object, JSONFormat{}) },
		"quote":     func() { buf = AppendQuoted(buf[:0], "a\"é\n") },
	} {
		if n := testing.AllocsPerRun(100, f); n > 0 && name != "stringify" || n > 3 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkJSONParse(b *testing.B) {
	text := benchmarkJSON()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := JSONParse(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSelector(b *testing.B) {
	body := []byte(benchmarkJSON())
	s := NewSelector("items.7.name")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := s.Raw(body); !ok {
			b.Fatal("not found")
		}
	}
}

func BenchmarkGJSON(b *testing.B) {
	body := []byte(benchmarkJSON())
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if !gjson.ValidBytes(body) || !gjson.GetBytes(body, "items.7.name").Exists() {
			b.Fatal("not found")
		}
	}
}

func benchmarkJSON() string {
	item := `{"id":123,"name":"a name","price":12.5,"tags":["x","y"],"ok":true},`
	return `{"items":[` + strings.Repeat(item, 13) + `null]}`
}
