package conv

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/dop251/goja"
)

// parsed is what ParseJSON makes of a text, as the interpreter writes it, or
// "error".
func parsed(t testing.TB, text string) string {
	t.Helper()
	rt := goja.New()
	v, err := ParseJSON(rt, text)
	if err != nil {
		return "error"
	}
	_ = rt.Set("v", v)
	out, err := rt.RunString(`JSON.stringify(v)`)
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestParseJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"z":1,"a":[1,2.5,-0.5,1e3,true,false,null,"x"],"o":{}}`: `{"z":1,"a":[1,2.5,-0.5,1000,true,false,null,"x"],"o":{}}`,
		" [ ] ": `[]`, "\t{\r\n}\n": `{}`, `"é\u00e9\n\"\\\/\b\f\r\t"`: `"éé\n\"\\/\b\f\r\t"`,
		`"\ud83d\ude00😀"`: `"😀😀"`, `"\ud800"`: `"\ud800"`, "\"\xff\xfe\"": "\"\ufffd\ufffd\"",
		`{"a":1,"a":2}`: `{"a":2}`, `{"":1}`: `{"":1}`, `{"__proto__":{"x":1}}`: `{"__proto__":{"x":1}}`, `{"b":1,"2":1,"1":1}`: `{"1":1,"2":1,"b":1}`,
		`12345678901234567890`: `12345678901234567000`, `9007199254740993`: `9007199254740992`, `1E400`: `null`, `-0`: `0`, `0.1e-2`: `0.001`,
		``: "error", ` `: "error", `{`: "error", `[1,]`: "error", `{"a"}`: "error", `{"a":}`: "error", `{a:1}`: "error", `[1 2]`: "error",
		`01`: "error", `1.`: "error", `.5`: "error", `1e`: "error", `+1`: "error", `-`: "error", `nul`: "error", `truex`: "error", `"a`: "error",
		"\"\n\"": "error", `"\x"`: "error", `"\u12"`: "error", `"\u12g4"`: "error", `"\`: "error", `[] []`: "error", `{"a":1,}`: "error", `]`: "error",
	} {
		if got := parsed(t, text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if v, _ := ParseJSON(goja.New(), "-0"); !math.Signbit(v.ToFloat()) {
		t.Error("-0 lost its sign")
	}
}

// TestDepth checks that no text is nested too deep for the stack.
func TestDepth(t *testing.T) {
	for _, open := range []string{"[", `{"a":`, `[{"a":`} {
		levels := strings.Count(open, "[") + strings.Count(open, "{")
		deep := strings.Repeat(open, 1_000_000)
		if _, err := ParseJSON(goja.New(), deep); !errors.Is(err, ErrJSONDepth) {
			t.Errorf("%s: %v", open, err)
		}
		if !errors.Is(CheckJSONDepth(deep), ErrJSONDepth) {
			t.Errorf("%s passes the check of its depth", open)
		}
		if err := CheckJSONDepth([]byte(strings.Repeat(open, MaxJSONDepth/levels))); err != nil {
			t.Errorf("%s at the limit: %v", open, err)
		}
	}
	if err := CheckJSONDepth(`"` + strings.Repeat(`[\"`, 20_000) + `"`); err != nil {
		t.Errorf("brackets in a string count: %v", err)
	}
	if err := CheckJSONDepth(strings.Repeat("[]", 20_000)); err != nil {
		t.Errorf("closed brackets count: %v", err)
	}
}

// scriptParse is a runtime whose JSON.parse is ours.
func scriptParse(t *testing.T) *goja.Runtime {
	t.Helper()
	rt := goja.New()
	json := rt.GlobalObject().Get("JSON").ToObject(rt)
	original, _ := goja.AssertFunction(json.Get("parse"))
	if err := json.Set("parse", JSONParse(rt, original)); err != nil {
		t.Fatal(err)
	}
	return rt
}

func TestScriptParse(t *testing.T) {
	rt := scriptParse(t)
	_ = rt.Set("deep", strings.Repeat("[", 100_000))
	for snippet, want := range map[string]string{
		`JSON.parse('{"a":[1]}').a[0]`:                                                              "1",
		`JSON.parse('[1,2]', (k, v) => typeof v === 'number' ? v * 2 : v).join()`:                   "2,4",
		`JSON.parse('[1]', undefined).length`:                                                       "1",
		`JSON.parse(' 7 ') + JSON.parse(7) + JSON.parse(true)`:                                      "15",
		`try { JSON.parse('{') } catch (e) { e instanceof SyntaxError }`:                            "true",
		`try { JSON.parse() } catch (e) { e.name }`:                                                 "SyntaxError",
		`try { JSON.parse(deep) } catch (e) { e.name + e.message }`:                                 "SyntaxErrorJSON is nested deeper than 10000 levels",
		`try { JSON.parse(deep, (k, v) => v) } catch (e) { e.name }`:                                "SyntaxError",
		`try { JSON.parse('[1]', () => { throw new RangeError('mine') }) } catch (e) { e.message }`: "mine",
	} {
		v, err := rt.RunString(snippet)
		if err != nil || v.String() != want {
			t.Errorf("%s: got %v, %v, want %s", snippet, v, err, want)
		}
	}
}

// FuzzParseJSON compares with the interpreter's own reader: what one takes the
// other takes, and to the same value.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u00e9",null,true]}`, `"\ud83d\ude00"`, `[[],{}]`, `-0.0`, `{"__proto__":1}`, "\"\xff\"", `1e999`, `{"1":1,"a":2}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, `\u`) || CheckJSONDepth(text) != nil {
			return // the other reader has no lone surrogates
		}
		want := "error"
		rt := goja.New()
		_ = rt.Set("text", text)
		if v, err := rt.RunString(`JSON.stringify(JSON.parse(text))`); err == nil {
			want = v.String()
		}
		if got := parsed(t, text); got != want && !strings.ContainsAny(text, "eE") {
			t.Errorf("%q: got %s, the interpreter %s", text, got, want)
		}
	})
}
