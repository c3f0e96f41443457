package message

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"

	"github.com/jsload/jsload/modules/conv"
)

const allProto = `
syntax = "proto3";
package all;
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
enum Colour { option allow_alias = true; NONE = 0; RED = 1; ROUGE = 1; BELOW = -1; }
message All {
  string some_text = 1; int32 i32 = 2; int64 i64 = 3; uint32 u32 = 4; uint64 u64 = 5;
  sint32 s32 = 6; sint64 s64 = 7; fixed32 f32 = 8; fixed64 f64 = 9; sfixed32 sf32 = 10; sfixed64 sf64 = 11;
  double d = 12; float f = 13; bool b = 14; bytes raw = 15; Colour colour = 16; All child = 17;
  repeated string words = 18; repeated int64 longs = 19; repeated All children = 20; repeated Colour colours = 21;
  map<string, int32> by_text = 22; map<int32, All> by_int = 23; map<bool, Colour> by_flag = 24; map<uint64, bytes> by_long = 25;
  oneof pick { string left = 26; int32 right = 27; All middle = 28; google.protobuf.NullValue none = 29; }
  optional int32 maybe = 30;
  string renamed = 31 [json_name = "otherName"];
  google.protobuf.Any any = 40; google.protobuf.Timestamp at = 41; google.protobuf.Duration took = 42;
  google.protobuf.FieldMask mask = 43; google.protobuf.Struct doc = 44; google.protobuf.Value value = 45;
  google.protobuf.ListValue list = 46; google.protobuf.Empty nothing = 47; google.protobuf.NullValue null_value = 48;
  google.protobuf.Int64Value w64 = 49; google.protobuf.BoolValue wb = 50; google.protobuf.StringValue ws = 51;
  google.protobuf.BytesValue wraw = 52; google.protobuf.DoubleValue wd = 53; google.protobuf.FloatValue wf = 54;
  google.protobuf.Int32Value w32 = 55; google.protobuf.UInt32Value wu32 = 56; google.protobuf.UInt64Value wu64 = 57;
  repeated google.protobuf.Value values = 58; map<string, google.protobuf.Timestamp> times = 59; repeated google.protobuf.Any anys = 60;
}
`

// described compiles proto text.
func described(t testing.TB, source string) (protoreflect.FileDescriptor, *dynamicpb.Types) {
	t.Helper()
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
		Accessor: protocompile.SourceAccessorFromMap(map[string]string{"all.proto": source}),
	})}
	files, err := c.Compile(context.Background(), "all.proto")
	if err != nil {
		t.Fatal(err)
	}
	all := new(protoregistry.Files)
	var add func(protoreflect.FileDescriptor)
	add = func(fd protoreflect.FileDescriptor) {
		if _, err := all.FindFileByPath(fd.Path()); err == nil {
			return
		}
		if err := all.RegisterFile(fd); err != nil {
			t.Fatal(err)
		}
		for i := range fd.Imports().Len() {
			add(fd.Imports().Get(i).FileDescriptor)
		}
	}
	add(files[0])
	return files[0], dynamicpb.NewTypes(all)
}

// fixture converts messages of the type all.All in both ways, ours and that of
// the JSON mapping's own implementation.
type fixture struct {
	Codec
	md    protoreflect.MessageDescriptor
	types *dynamicpb.Types
	text  goja.Callable
}

func newFixture(t testing.TB) *fixture {
	fd, types := described(t, allProto)
	rt := goja.New()
	text, _ := goja.AssertFunction(rt.Get("JSON").ToObject(rt).Get("stringify"))
	return &fixture{Codec: Codec{Runtime: rt, Types: types}, md: fd.Messages().ByName("All"), types: types, text: text}
}

func (f *fixture) decodeJSON(text string) (*dynamicpb.Message, error) {
	v, err := conv.ParseJSON(f.Runtime, text)
	if err != nil {
		return nil, err
	}
	return f.Decode(v, f.md)
}

func (f *fixture) reference(text string) (*dynamicpb.Message, error) {
	m := dynamicpb.NewMessage(f.md)
	err := protojson.UnmarshalOptions{Resolver: f.types, AllowPartial: true}.Unmarshal([]byte(text), m)
	return m, err
}

func (f *fixture) encodeJSON(t testing.TB, m proto.Message) string {
	t.Helper()
	v, err := f.Encode(m.ProtoReflect())
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.text(goja.Undefined(), v)
	if err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// canonical has the members of JSON text sorted and its numbers written alike.
func canonical(t testing.TB, text []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// agreeing are inputs that both implementations take or refuse alike.
var agreeing = []string{
	`{}`, `{"someText":"a","some_text":null}`, `{"someText":"a","some_text":"b"}`, `{"some_text":"héllo 🎉"}`, `{"nope":1}`, `{"otherName":"x"}`, `{"renamed":"x"}`,
	`{"i32":2147483647}`, `{"i32":2147483648}`, `{"i32":"5"}`, `{"i32":1.5}`, `{"i32":1.0}`, `{"i32":"1e3"}`, `{"i32":" 1"}`, `{"i32":true}`, `{"i32":null}`, `{"i32":[]}`,
	`{"i32":""}`, `{"i32":"+1"}`, `{"i32":"01"}`, `{"i32":-0}`, `{"u32":"-0"}`, `{"u32":-1}`, `{"u32":"4294967295"}`, `{"u64":"18446744073709551615"}`, `{"u64":"18446744073709551616"}`,
	`{"i64":"-9223372036854775808","s64":"9223372036854775807"}`, `{"i64":9007199254740991}`, `{"i64":"9007199254740993"}`, `{"f32":7,"f64":"8","sf32":-7,"sf64":"-8","s32":-1}`,
	`{"d":1.5,"f":0.1}`, `{"d":"1.5"}`, `{"d":"x"}`, `{"d":"0x1p4"}`, `{"d":"1_0"}`, `{"d":"."}`, `{"d":"1."}`, `{"d":".5"}`, `{"d":"1e5"}`, `{"f":1e39}`, `{"f":3.4e38}`, `{"d":"inf"}`,
	`{"b":true}`, `{"b":"true"}`, `{"b":1}`, `{"raw":"aGk="}`, `{"raw":"aGk"}`, `{"raw":"_-8="}`, `{"raw":"!"}`, `{"raw":"\n"}`, `{"raw":5}`, `{"someText":5}`,
	`{"colour":"RED"}`, `{"colour":"ROUGE"}`, `{"colour":1}`, `{"colour":-1}`, `{"colour":99}`, `{"colour":"1"}`, `{"colour":"GREEN"}`, `{"colour":1.5}`,
	`{"child":{"child":{"i32":1}}}`, `{"child":[]}`, `{"child":"x"}`, `{"child":null}`,
	`{"words":["a","b"]}`, `{"words":"a"}`, `{"words":[null]}`, `{"longs":[1,"2"]}`, `{"children":[{"i32":1},{}]}`, `{"children":[null]}`, `{"colours":["RED",2,"NONE"]}`, `{"words":null}`, `{"words":{}}`,
	`{"byText":{"a":1,"":2}}`, `{"byText":[]}`, `{"byInt":{"-1":{"i32":2},"3":{}}}`, `{"byInt":{"x":{}}}`, `{"byInt":{"1":null}}`, `{"byInt":{"1.0":{}}}`, `{"byFlag":{"true":"RED","false":0}}`, `{"byFlag":{"yes":1}}`, `{"byLong":{"18446744073709551615":"aGk="}}`, `{"byText":{"__proto__":1}}`,
	`{"left":"a"}`, `{"left":"a","right":1}`, `{"left":null,"right":1}`, `{"right":0}`, `{"middle":{}}`, `{"left":"a","left":"b"}`, `{"none":null}`, `{"none":"NULL_VALUE"}`, `{"none":null,"left":"x"}`, `{"maybe":0}`,
	`{"at":"2024-02-29T12:30:00.123456789Z"}`, `{"at":"2024-02-29T12:30:00+02:00"}`, `{"at":"yesterday"}`, `{"at":5}`, `{"at":{}}`,
	`{"took":"1.5s"}`, `{"took":"-3s"}`, `{"took":"3"}`, `{"mask":"a,bC"}`, `{"mask":""}`, `{"mask":"a_b"}`,
	`{"doc":{"a":[1,"x",null,{"b":true}]}}`, `{"doc":[]}`, `{"value":null}`, `{"value":1.25}`, `{"value":"s"}`, `{"value":[null,[]]}`, `{"value":{"x":{}}}`, `{"value":false}`, `{"list":[1,null]}`, `{"list":{}}`, `{"values":[null,1]}`,
	`{"nothing":{}}`, `{"nothing":{"x":1}}`, `{"nullValue":null}`, `{"nullValue":0}`,
	`{"w64":"5","wb":false,"ws":"","wraw":"aGk=","wd":1.5,"wf":0.25,"w32":-1,"wu32":1,"wu64":"2"}`, `{"w64":null}`, `{"w64":{}}`, `{"ws":5}`, `{"wb":"x"}`,
	`{"any":{}}`, `{"any":{"@type":"type.googleapis.com/all.All","i32":5}}`, `{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}`, `{"any":{"@type":"type.googleapis.com/none.None"}}`,
	`{"any":{"i32":5}}`, `{"any":{"@type":"type.googleapis.com/google.protobuf.Value","value":[1]}}`, `{"any":{"@type":"type.googleapis.com/google.protobuf.Any","value":{"@type":"type.googleapis.com/all.All","someText":"deep"}}}`, `{"any":{"@type":"all.All","nope":5}}`,
	`{"times":{"a":"1970-01-01T00:00:00Z"}}`, `{"anys":[{"@type":"type.googleapis.com/google.protobuf.Empty","value":{}}]}`,
	`[]`, `null`, `5`, `"x"`,
}

// compare converts a JSON text in both ways and says how they differ.
func compare(t *testing.T, f *fixture, text string) {
	t.Helper()
	ours, oursErr := f.decodeJSON(text)
	want, wantErr := f.reference(text)
	if (oursErr == nil) != (wantErr == nil) {
		t.Errorf("%s: our error is %v, the other's %v", text, oursErr, wantErr)
		return
	}
	if wantErr != nil {
		return
	}
	if !proto.Equal(ours, want) {
		t.Errorf("%s:\n got %v\nwant %v", text, ours, want)
		return
	}
	wantText, err := protojson.MarshalOptions{Resolver: f.types, EmitUnpopulated: true, AllowPartial: true}.Marshal(want)
	if err != nil {
		return // values that have no JSON form, which compare with nothing
	}
	if got, want := canonical(t, []byte(f.encodeJSON(t, ours))), canonical(t, wantText); got != want {
		t.Errorf("%s:\n got %s\nwant %s", text, got, want)
	}
}

func TestAgreesWithTheJSONMapping(t *testing.T) {
	f := newFixture(t)
	for _, text := range agreeing {
		if text == `{"left":"a","left":"b"}` {
			continue // an object cannot hold a name twice
		}
		compare(t, f, text)
	}
}

func FuzzAgreesWithTheJSONMapping(f *testing.F) {
	for _, text := range agreeing {
		f.Add(text)
	}
	fixture := newFixture(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) || conv.CheckJSONDepth(text) != nil || differs(text) {
			return
		}
		compare(t, fixture, text)
	})
}

// differs tells the inputs that JavaScript changes before they are converted:
// names given twice, numbers beyond 53 bits, text that is not Unicode, numbers
// that are not finite.
func differs(text string) bool {
	if strings.Contains(text, `\u`) || strings.Contains(text, "Infinity") || strings.Contains(text, "NaN") || !json.Valid([]byte(text)) {
		return true
	}
	if strings.ToValidUTF8(text, "") != text {
		return true
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	names := []map[string]bool{}
	object, key := []bool{}, []bool{}
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		if n := len(object); n > 0 && object[n-1] && key[n-1] {
			if name, ok := token.(string); ok {
				if names[n-1][name] {
					return true
				}
				names[n-1][name], key[n-1] = true, false
				continue
			}
		}
		switch x := token.(type) {
		case json.Delim:
			if x == '{' || x == '[' {
				object, key, names = append(object, x == '{'), append(key, true), append(names, map[string]bool{})
				continue
			}
			object, key, names = object[:len(object)-1], key[:len(key)-1], names[:len(names)-1]
		case json.Number:
			if f, err := x.Float64(); err != nil || len(x) > 15 || math.Abs(f) > 1<<53 {
				return true
			}
		case string:
			if len(x) > 15 && strings.Trim(x, "-0123456789.eE+") == "" {
				return true
			}
		}
		if n := len(key); n > 0 {
			key[n-1] = true
		}
	}
}

func (f *fixture) run(t *testing.T, script string) (*dynamicpb.Message, error) {
	t.Helper()
	v, err := f.Runtime.RunString("(" + script + ")")
	if err != nil {
		t.Fatal(err)
	}
	return f.Decode(v, f.md)
}

// TestScriptValues is about what JSON does not have.
func TestScriptValues(t *testing.T) {
	f := newFixture(t)
	tests := []struct{ script, want string }{
		{`{d: NaN}`, `{"d":"NaN"}`},
		{`{d: Infinity, f: -Infinity}`, `{"d":"Infinity","f":"-Infinity"}`},
		{`{d: "NaN", f: "-Infinity"}`, `{"d":"NaN","f":"-Infinity"}`},
		{`{i32: NaN}`, `error`},
		{`{raw: new Uint8Array([104, 105])}`, `{"raw":"aGk="}`},
		{`{raw: new Uint8Array([104, 105]).buffer}`, `{"raw":"aGk="}`},
		{`{at: new Date(0)}`, `{"at":"1970-01-01T00:00:00Z"}`},
		{`{i32: undefined, b: function () {}, someText: Symbol()}`, `{}`},
		{`{i32: new Number(4), someText: new String("x"), b: new Boolean(true)}`, `{"i32":4,"someText":"x","b":true}`},
		{`{u64: 18446744073709551615n, i64: -5n}`, `{"u64":"18446744073709551615","i64":"-5"}`},
		{`{child: {toJSON() { return {i32: 7} }}}`, `{"child":{"i32":7}}`},
		{`{i32: {toJSON(k) { return k === "i32" ? 8 : 9 }}}`, `{"i32":8}`},
		{`{words: [undefined]}`, `error`},
		{`{value: [undefined, function () {}]}`, `{"value":[null,null]}`},
		{`{i64: 9223372036854775807}`, `error`}, // the number is 2^63
		{`{i64: -9223372036854775808}`, `{"i64":"-9223372036854775808"}`},
		{`{words: (function () { return arguments })("a")}`, `error`},
		{`new Map()`, `{}`},
		{`[]`, `error`},
		{`function () {}`, `error`},
	}
	for _, test := range tests {
		m, err := f.run(t, test.script)
		got := "error"
		if err == nil {
			text, err := protojson.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			got = canonical(t, text)
		}
		want := test.want
		if want != "error" {
			want = canonical(t, []byte(want))
		}
		if got != want {
			t.Errorf("%s: got %s (%v), want %s", test.script, got, err, want)
		}
	}
}

func TestNumbersStayNumbers(t *testing.T) {
	f := newFixture(t)
	m, err := f.run(t, `{d: NaN, f: -Infinity, wd: Infinity, value: 1}`)
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Runtime.Set("v", v)
	got, err := f.Runtime.RunString(`[v.d, v.f, v.wd, v.value, v.child, v.words.length].join()`)
	if err != nil || got.String() != "NaN,-Infinity,Infinity,1,,0" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	f := newFixture(t)
	_, err := f.run(t, `{children: [{}, {byInt: {5: {nope: 1}}}]}`)
	if err == nil || err.Error() != `children: [1]: byInt: 5: all.All has no field "nope"` {
		t.Error(err)
	}
}

func TestDepthIsLimited(t *testing.T) {
	f := newFixture(t)
	for _, script := range []string{
		`(function () { const o = {}; o.child = o; return o })()`,
		`(function () { const o = {}; o.value = [o.value]; let v = o; for (let i = 0; i < 20000; i++) v = [v]; return {value: v} })()`,
		`(function () { const a = []; a[0] = a; return {list: a} })()`,
	} {
		if _, err := f.run(t, script); err == nil || !strings.Contains(err.Error(), "nested deeper") {
			t.Errorf("%s: %v", script, err)
		}
	}
}

// TestHostileAny has a server send an Any within an Any, many times.
func TestHostileAny(t *testing.T) {
	f := newFixture(t)
	any1, err := f.types.FindMessageByName("google.protobuf.Any")
	if err != nil {
		t.Fatal(err)
	}
	packed := []byte{}
	for range 300 {
		m := any1.New()
		if err := setAny(m, "type.googleapis.com/google.protobuf.Any", packed); err != nil {
			t.Fatal(err)
		}
		if packed, err = proto.Marshal(m.Interface()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := f.Any("type.googleapis.com/google.protobuf.Any", packed); err != nil {
		t.Error(err)
	}
	if _, err := f.Any("type.googleapis.com/all.All", []byte{0xff, 0xff}); err != nil {
		t.Errorf("what cannot be read is shown as bytes: %v", err)
	}
}

// TestMisdescribedTypes has well-known types that are not what their names say.
func TestMisdescribedTypes(t *testing.T) {
	for _, fields := range []string{``, `repeated string a = 1; repeated int32 b = 2;`, `Value a = 1; Value b = 2; string c = 3; string e = 6;`} {
		source := `syntax = "proto3"; package google.protobuf; `
		names := []string{"Timestamp", "Duration", "FieldMask", "Int64Value", "Any", "Struct", "ListValue", "Value"}
		for _, name := range names {
			source += "message " + name + " {" + fields + "}\n"
		}
		fd, types := described(t, source)
		c := Codec{Runtime: goja.New(), Types: types}
		for _, name := range names {
			md := fd.Messages().ByName(protoreflect.Name(name))
			for _, script := range []string{`({"@type": "google.protobuf.Any", value: {}})`, `"1s"`, `[1]`, `5`, `null`, `true`} {
				v, err := c.Runtime.RunString(script)
				if err != nil {
					t.Fatal(err)
				}
				if m, err := c.Decode(v, md); err == nil {
					_, _ = c.Encode(m)
				}
			}
			_, _ = c.Encode(dynamicpb.NewMessage(md))
		}
	}
}

// FuzzEncode shows any bytes that parse as a message.
func FuzzEncode(f *testing.F) {
	fixture := newFixture(f)
	for _, text := range agreeing {
		if m, err := fixture.reference(text); err == nil {
			data, _ := proto.Marshal(m)
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := dynamicpb.NewMessage(fixture.md)
		if proto.Unmarshal(data, m) != nil {
			return
		}
		v, err := fixture.Encode(m)
		want, wantErr := protojson.MarshalOptions{Resolver: fixture.types, EmitUnpopulated: true, AllowPartial: true}.Marshal(m)
		if wantErr != nil || bytes.Contains(want, []byte("NaN")) || bytes.Contains(want, []byte("Infinity")) || bytes.Contains(want, []byte("@type")) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := fixture.text(goja.Undefined(), v)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := canonical(t, []byte(text.String())), canonical(t, want); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	f := newFixture(b)
	v, err := conv.ParseJSON(f.Runtime, `{"someText":"hello","i32":5,"i64":"7","child":{"d":1.5,"b":true},"words":["a","b"]}`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Decode(v, f.md); err != nil {
			b.Fatal(err)
		}
	}
}
