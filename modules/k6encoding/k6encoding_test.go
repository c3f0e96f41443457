package k6encoding_test

import (
	"testing"

	"github.com/jsload/jsload/modules/k6encoding"
	"github.com/jsload/jsload/modules/moduletest"
)

func TestBase64(t *testing.T) {
	b := moduletest.New(t, k6encoding.New(), moduletest.Config{Init: true})
	b.Text(`bytes = (v) => new Uint8Array(v).join()`)
	for _, tc := range []struct{ snippet, want string }{
		{`m.b64encode('hé>?')`, "aMOpPj8="},
		{`m.b64encode('hé>?', 'std') + ' ' + m.b64encode('hé>?', 'rawstd') + ' ' + m.b64encode('hé>?>', 'url') + ' ' + m.b64encode('hé>?', 'rawurl')`, "aMOpPj8= aMOpPj8 aMOpPj8- aMOpPj8"},
		{`m.b64encode(new Uint8Array([251, 255]).buffer) + m.b64encode(new Uint8Array([0, 251, 255]).subarray(1), 'rawurl')`, "+/8=-_8"},
		{`m.b64encode('') + m.b64decode('', 'std', 's')`, ""},
		{`m.b64decode('aMOpPj8=', 'std', 's') + m.b64decode('aMOpPj8', 'rawstd', 's')`, "hé>?hé>?"},
		{`bytes(m.b64decode('+/8=')) + ' ' + bytes(m.b64decode('-_8', 'rawurl')) + ' ' + (m.b64decode('AA==') instanceof ArrayBuffer)`, "251,255 251,255 true"},
	} {
		b.Want("return "+tc.snippet, tc.want)
	}
	for _, snippet := range []string{`m.b64decode('*')`, `m.b64decode('AA', 'std')`, `m.b64decode('AA==', 'rawstd')`, `m.b64encode({})`, `m.b64encode()`, `m.b64encode(1)`} {
		b.Throws(snippet, "GoError")
	}
}
