package js

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jsload/jsload/js/internal/jslib"
)

// storage is a server of S3 as far as the client needs one.
type storage struct {
	mu      sync.Mutex
	objects map[string]string
	parts   map[string]string
}

func (s *storage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	query, path := r.URL.Query(), r.URL.Path
	authorised := strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE12345/") && r.Header.Get("X-Amz-Content-Sha256") != ""
	switch {
	case !authorised:
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>a &lt;b&gt;</Message></Error>")
	case path == "/":
		_, _ = io.WriteString(w, "<R><Buckets><Bucket><Name>b</Name><CreationDate>2024-01-02T03:04:05.000Z</CreationDate></Bucket></Buckets></R>")
	case query.Get("list-type") == "2":
		for _, key := range slices.Sorted(maps.Keys(s.objects)) {
			if name := strings.TrimPrefix(key, "/b/"); strings.HasPrefix(name, query.Get("prefix")) {
				_, _ = fmt.Fprintf(w, "<Contents><Key>%s</Key><LastModified>2024-01-02T03:04:05.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>%d</Size><StorageClass>STANDARD</StorageClass></Contents>",
					name, len(s.objects[key]))
			}
		}
	case r.Method == http.MethodPost && query.Has("uploads"):
		_, _ = io.WriteString(w, "<R><Key>big</Key><UploadId>u1</UploadId></R>")
	case r.Method == http.MethodPut && query.Has("uploadId"):
		s.parts[query.Get("partNumber")] = string(body)
		w.Header().Set("ETag", `"p`+query.Get("partNumber")+`"`)
	case r.Method == http.MethodPost && query.Has("uploadId"):
		if !strings.Contains(string(body), `<Part><PartNumber>2</PartNumber><ETag>"p2"</ETag></Part>`) {
			_, _ = io.WriteString(w, "<Error><Code>InvalidPart</Code><Message>no</Message></Error>") // with status 200
			return
		}
		s.objects[path] = s.parts["1"] + s.parts["2"]
	case r.Method == http.MethodPut && r.Header.Get("X-Amz-Copy-Source") != "":
		s.objects[path] = s.objects["/"+r.Header.Get("X-Amz-Copy-Source")]
	case r.Method == http.MethodPut:
		s.objects[path] = string(body) + r.Header.Get("Content-Type")
	case r.Method == http.MethodDelete:
		delete(s.objects, path)
		w.WriteHeader(http.StatusNoContent)
	case s.objects[path] == "":
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchKey</Code><Message>gone</Message></Error>")
	default:
		w.Header().Set("Last-Modified", "Tue, 02 Jan 2024 03:04:05 GMT")
		w.Header().Set("ETag", `"e"`)
		_, _ = io.WriteString(w, s.objects[path])
	}
}

// TestLibraryS3: clients wait up to version 0.8 and give promises from 0.9 on.
func TestLibraryS3(t *testing.T) {
	t.Parallel()
	const body = `
  const config = new AWSConfig({ region: "us-east-1", accessKeyId: "AKIDEXAMPLE12345", secretAccessKey: "s", endpoint: SERVER });
  const s3 = new S3Client(config);
  eq((await s3.listBuckets()).map((b) => [b.name, b.creationDate]), [["b", Date.UTC(2024, 0, 2, 3, 4, 5)]]);
  await s3.putObject("b", "a/x y", "text", { contentType: "text/css" }); await s3.putObject("b", "z", "zz");
  const [o] = await s3.listObjects("b", "a/"); eq(o, { key: "a/x y", lastModified: Date.UTC(2024, 0, 2, 3, 4, 5), etag: '"e"', size: 12, storageClass: "STANDARD" });
  eq((await s3.listObjects("b")).length, 2);
  const got = await s3.getObject("b", "a/x y"); eq([got.data, got.size, got.etag, got.lastModified === o.lastModified], ["texttext/css", 12, '"e"', true]);
  eq(new Uint8Array((await s3.getObject("b", "z", { Accept: "application/octet-stream" })).data), new Uint8Array([122, 122]));
  await s3.copyObject("b", "z", "b", "y"); eq((await s3.getObject("b", "y")).data, "zz");
  const up = await s3.createMultipartUpload("b", "big"); eq([up.key, up.uploadId], ["big", "u1"]);
  const parts = [await s3.uploadPart("b", "big", "u1", 1, "one"), await s3.uploadPart("b", "big", "u1", 2, "two")]; eq(parts[1], { partNumber: 2, eTag: '"p2"' });
  await s3.completeMultipartUpload("b", "big", "u1", parts); eq((await s3.getObject("b", "big")).data, "onetwo");
  await s3.abortMultipartUpload("b", "big", "u1"); await s3.deleteObject("b", "y");
  const fails = async (f) => { try { await f(); } catch (e) { return e; } throw new Error("did not fail"); };
  const gone = await fails(() => s3.getObject("b", "y")); eq([gone.name, gone.code, gone.operation, gone.message], ["S3ServiceError", "NoSuchKey", "GetObject", "gone"]);
  eq((await fails(() => s3.completeMultipartUpload("b", "big", "u1", []))).code, "InvalidPart");
  const other = new S3Client(new AWSConfig({ region: "r", accessKeyId: "AKIDEXAMPLE0000X", secretAccessKey: "s", endpoint: SERVER }));
  const denied = await fails(() => other.listBuckets()); eq([denied.code, denied.message, denied.operation], ["AccessDenied", "a <b>", "ListBuckets"]);
  s3.endpoint = new Endpoint("http://127.0.0.1:1"); eq((await fails(() => s3.listBuckets())).name, "TCPError");
  eq(new S3Client(new AWSConfig({ region: "eu-west-1", accessKeyId: "AKIDEXAMPLE0000X", secretAccessKey: "s" })).endpoint.href, "https://s3.eu-west-1.amazonaws.com");
  throws(() => s3.headObject(), "headObject is not provided by jsload's aws");
`
	for _, tt := range []struct{ file, promises string }{
		{"0.14.0/s3.js", "true"}, {"0.12.3/s3.js", "true"}, {"0.9.0/aws.js", "true"}, {"0.8.1/index.js", "false"}, {"0.7.0/s3.js", "false"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&storage{objects: map[string]string{}, parts: map[string]string{}})
			t.Cleanup(server.Close)
			runLibrary(t, `import { S3Client, AWSConfig, Endpoint } from "https://jslib.k6.io/aws/`+tt.file+`";
const SERVER = "`+server.URL+`";
export default async function () {`+body+`
  eq(other.listBuckets.call(new S3Client(config))?.then !== undefined, `+tt.promises+`);
}`)
		})
	}
}

// TestLibraryOutgrown: the index of aws is jsload's own until a script wants more of
// it than is here.
func TestLibraryOutgrown(t *testing.T) {
	t.Parallel()
	runLibrary(t, `import { SignatureV4 } from "https://jslib.k6.io/aws/0.12.3/aws.js"; export default () => eq(typeof SignatureV4, "function");`)
	_, err := loadLibrary(t, `import { S3Client, SQSClient } from "https://jslib.k6.io/aws/0.12.3/aws.js"; export default () => SQSClient(S3Client);`, nil)
	if err == nil || !strings.Contains(err.Error(), "aws/0.12.3/aws.js is remote") {
		t.Errorf("got %v", err)
	}
}

func TestLibrarySchemas(t *testing.T) {
	t.Parallel()
	bad := []struct{ value, want string }{
		{`{ id: 1 }`, `should have required property 'name'`},
		{`{ id: 1.5, name: "" }`, `.id should be integer`},
		{`{ id: 0, name: "" }`, `.id should be >= 1`},
		{`{ id: 1, name: "", tags: ["ab", "A9"] }`, `.tags[1] should match pattern "^[a-z]+$"`},
		{`{ id: 1, name: "", tags: ["ab", "ab"] }`, `.tags should NOT have duplicate items`},
		{`{ id: 1, name: "", tags: [] }`, `.tags should NOT have fewer than 1 item`},
		{`{ id: 1, name: "", kind: "c" }`, `.kind should be equal to one of the allowed values`},
		{`{ id: 1, name: "", score: 5 }`, `.score should be < 5`},
		{`{ id: 1, name: "", score: 0.3 }`, `.score should be multiple of 0.5`},
		{`{ id: 1, name: "", one: 4 }`, `.one should match exactly one schema in oneOf`},
		{`{ id: 1, name: "", any: 4 }`, `.any should match some schema in anyOf`},
		{`{ id: 1, name: "", when: "" }`, `.when should NOT be shorter than 1 character`},
		{`{ id: 1, name: "", both: { a: 1 } }`, `.both should have required property 'b'`},
		{`{ id: 1, name: "", both: { ab: 1 } }`, `.both property name 'ab' is invalid`},
		{`{ id: 1, name: "", pair: ["x", 1] }`, `.pair should NOT have more than 1 item`},
		{`{ id: 1, name: "", more: 1 }`, `should NOT have additional properties`},
		{`{ id: 1, name: 5 }`, `.name should be string,null`},
		{`7`, `should be object`},
	}
	var blocks strings.Builder
	for i, b := range bad {
		fmt.Fprintf(&blocks, "  eq(describe(%q, (t) => { t.expect(%s).as(%q).toMatchAPISchema(user); t.expect(1).as(%[1]q).toEqual(1); }), false);\n", fmt.Sprint("after", i), b.value, fmt.Sprint("v", i))
	}
	l := runLibrary(t, `
import { describe } from "https://jslib.k6.io/expect/0.0.5/index.js";
import { describe as describe004 } from "https://jslib.k6.io/expect/0.0.4/index.js";
const user = {
  $schema: "http://json-schema.org/draft-07/schema#", type: "object", required: ["id", "name"], additionalProperties: false,
  definitions: { tag: { type: "string", pattern: "^[a-z]+$", minLength: 2, maxLength: 3 } },
  properties: {
    id: { type: "integer", minimum: 1 }, name: { type: ["string", "null"] }, tags: { type: "array", items: { $ref: "#/definitions/tag" }, minItems: 1, uniqueItems: true },
    kind: { enum: ["a", { b: 1 }] }, score: { type: "number", exclusiveMaximum: 5, multipleOf: 0.5 }, one: { oneOf: [{ type: "string" }, { const: 3 }] },
    any: { anyOf: [{ type: "string" }, { not: { type: "number" } }] }, when: { if: { type: "string" }, then: { format: "date", minLength: 1 }, else: { type: "null" } },
    both: { dependencies: { a: ["b"] }, minProperties: 1, propertyNames: { maxLength: 1 } }, pair: { items: [{ type: "string" }], additionalItems: false, contains: { const: "x" } },
  },
};
const good = { id: 1, name: null, tags: ["ab", "abc"], kind: { b: 1 }, score: 4.5, one: 3, any: [], when: null, both: { a: 1, b: 2 }, pair: ["x"] };
export default function () {
  eq(describe("good", (t) => { t.expect(good).as("user").toMatchAPISchema(user).toMatchAPISchema(true); }), true);
`+blocks.String()+`
  eq(describe004("lenient", (t) => { t.expect(1).as("n").toMatchAPISchema({ type: "string" }); t.expect(1).as("after").toEqual(1); }), true);
  eq(describe("wrong", (t) => { t.expect(1).toMatchAPISchema({ tpye: "string" }); }), false);
}`)
	got := l.checks()
	want := []string{"user schema validation 2/0", "n schema validation 0/1", "after is 1. 1/0"}
	for i, b := range bad {
		want = append(want, b.want+" 0/1", fmt.Sprintf("v%d schema validation 0/1", i))
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("no check %q in %q", name, got)
		}
	}
	if len(got) != len(want)+2 { // string instead of number, and the exception
		t.Errorf("%d checks, want %d: %q", len(got), len(want)+2, got)
	}
	if !strings.Contains(l.log.String(), "unknown keyword in a schema: tpye") {
		t.Error(l.log)
	}
}

// makers give an instance of each class with known members, of which m is the module.
var makers = map[string]string{
	"Httpx": `[new m.Httpx()]`, "Request": `[new m.Get("x")]`, "FormData": `[m.FormData()]`, "TOTP": `[new m.TOTP("GEZDGNBVGY3TQOJQ")]`,
	"Client": `[new m.Client({ propagator: "w3c" })]`, "Endpoint": `[new m.Endpoint("http://h")]`, "SignatureV4": `[new m.SignatureV4({ credentials: {} })]`,
	"S3Client": `[new m.S3Client(new m.AWSConfig("r", "AKIDEXAMPLE12345", "s"))]`, "expect": `[Object.assign(Object.create(null), Object.getOwnPropertyDescriptors(m.expect))]`,
	"Matchers": `[m.expect(1), m.expect({ isChecked() {}, isVisible() {}, textContent() {} })]`,
}

// TestLibraryMembers: what check knows of instances is what instances have.
func TestLibraryMembers(t *testing.T) {
	t.Parallel()
	var imports, body strings.Builder
	for i, m := range jslib.Modules() {
		for _, class := range m.Classes() {
			members := slices.Sorted(slices.Values(m.Members(class)))
			fmt.Fprintf(&body, "  { const m = m%d; same(%s, %s, %q); }\n", i, makers[class], quoted(members), m.Path()+" "+class)
		}
		if len(m.Classes()) > 0 {
			fmt.Fprintf(&imports, "import * as m%d from %q;\n", i, addressOf(m))
		}
	}
	runLibrary(t, imports.String()+`
function same(objects, want, what) {
  const names = new Set();
  for (let o of objects) {
    for (; o && o !== Object.prototype; o = Object.getPrototypeOf(o)) Object.getOwnPropertyNames(o).forEach((n) => names.add(n));
  }
  ["constructor", "length", "name", "prototype", "toString"].forEach((n) => names.delete(n));
  eq([...names].sort(), want, what);
}
export default function () {
`+body.String()+"}")
}

func quoted(list []string) string {
	data, _ := json.Marshal(list) // texts always marshal
	return string(data)
}
