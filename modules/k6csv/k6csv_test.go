package k6csv_test

import (
	"fmt"
	"io/fs"
	"runtime"
	"strings"
	"testing"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6csv"
	"github.com/jsload/jsload/modules/k6fs"
	"github.com/jsload/jsload/modules/moduletest"
)

// bench has the files of a map, opened by the global open.
func bench(t testing.TB, files map[string]string) *moduletest.Bench {
	b := moduletest.New(t, k6csv.New(), moduletest.Config{Init: true})
	b.Host.Files = func() modules.Files {
		return modules.Files{Base: "file:///d/s.js", Open: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		}}
	}
	_ = b.Host.Runtime.Set("open", k6fs.New().Instantiate(b.Host).Export("open"))
	return b
}

var files = map[string]string{
	"d.csv":     "name,age\nann,5\n\"bob, jr\",6\n\"q\"\"uote\",7\n",
	"crlf.csv":  "\ufeffa,b\r\n\r\n1,2\r\n\"x\r\ny\",\"\"\r\n3,4",
	"ragged":    "a,b\n1\n2,3,4\n",
	"bare":      "a,b\n1,2\nx\"y,3\n",
	"open":      "a,b\n\"1,2\n3,4\n",
	"behind":    "a\n\"1\"2\n",
	"empty.csv": "",
	"semi":      "x;y z;\n1;\"2;3\";4\n",
	"wide":      "x→y\n",
}

func TestParse(t *testing.T) {
	b := bench(t, files)
	for _, c := range []struct{ call, want string }{
		{`'d.csv'`, `[["name","age"],["ann","5"],["bob, jr","6"],["q\"uote","7"]]`},
		{`'d.csv', { asObjects: true }`, `[{"name":"ann","age":"5"},{"name":"bob, jr","age":"6"},{"name":"q\"uote","age":"7"}]`},
		{`'d.csv', { skipFirstLine: true }`, `[["ann","5"],["bob, jr","6"],["q\"uote","7"]]`},
		{`'d.csv', { skipFirstLine: true, fromLine: 1, toLine: 2 }`, `[["ann","5"],["bob, jr","6"]]`},
		{`'d.csv', { fromLine: 2, toLine: 2 }`, `[["bob, jr","6"]]`},
		{`'d.csv', { asObjects: true, fromLine: 3 }`, `[{"name":"q\"uote","age":"7"}]`},
		{`'d.csv', { toLine: 0 }`, `[["name","age"]]`},
		{`'d.csv', { fromLine: 9, delimiter: undefined }`, `[]`},
		{`'crlf.csv'`, `[["a","b"],["1","2"],["x\r\ny",""],["3","4"]]`},
		{`'crlf.csv', { asObjects: true, toLine: 1 }`, `[{"a":"1","b":"2"}]`},
		{`'ragged'`, `[["a","b"],["1"],["2","3","4"]]`},
		{`'empty.csv'`, `[]`},
		{`'empty.csv', { asObjects: true }`, `[]`},
		{`'semi', { delimiter: ';' }`, `[["x","y z",""],["1","2;3","4"]]`},
		{`'wide', { delimiter: '→' }`, `[["x","y"]]`},
	} {
		name, opts, _ := strings.Cut(c.call, ",")
		b.Want(fmt.Sprintf(`return (async () => JSON.stringify(await m.parse(await open(%s), %s)))()`, name, opts), c.want)
		// The parser gives the same, one by one.
		b.Want(fmt.Sprintf(`return (async () => {
			const p = new m.Parser(await open(%s), %s), all = [];
			for (;;) { const { done, value } = await p.next(); if (done) break; all.push(value); }
			return JSON.stringify(all) + JSON.stringify(await p.next());
		})()`, name, opts), c.want+`{"done":true,"value":[]}`)
	}
}

func TestArray(t *testing.T) {
	b := bench(t, files)
	b.Text(`return (async () => { globalThis.a = await m.parse(await open('d.csv')); return 1; })()`)
	b.Want(`return Array.isArray(a) + ' ' + a.length + ' ' + a[9]`, "true 4 undefined")
	b.Want(`return Array.isArray(a[1]) + a[1].join('|') + [...a[1]].length + a[1].includes('5')`, "trueann|52true")
	b.Want(`a[0][0] = 'x'; return a[0][0]`, "name")
	b.Throws(`'use strict'; a[0].push(1)`, "TypeError")
	b.Want(`return (async () => { const [o] = await m.parse(await open('d.csv'), { asObjects: true }); const { name, ...rest } = o; return name + JSON.stringify(rest) + ('age' in o) + o.none + Object.entries(o).length; })()`, `ann{"age":"5"}trueundefined2`)
	b.Throws(`'use strict'; return (async () => { (await m.parse(await open('d.csv'), { asObjects: true }))[0].name = 1; })()`, "TypeError")
	b.Want(`return a.map((r) => r[1]).join() + [...a].length + a.at(-1)[1]`, "age,5,6,747")
	b.Throws(`a[0] = 1`, "SharedArray is immutable")
	b.Throws(`a.push(1)`, "SharedArray is immutable")
	b.Throws(`'use strict'; a[0][0] = 1`, "TypeError")
	b.Want(`return (async () => { const v = (await new m.Parser(await open('d.csv')).next()).value; v[0] = 'mine'; return v[0]; })()`, "mine")
}

func TestErrors(t *testing.T) {
	b := bench(t, files)
	for call, want := range map[string]string{
		`await open('bare')`:                        `GoError: /d/bare: line 3: a quote`,
		`await open('open')`:                        `line 2: the quote that begins here is not closed`,
		`await open('behind')`:                      `line 2: text stands behind a closing quote`,
		`await open('ragged'), { asObjects: true }`: `line 2: there are 1 fields`,
		`'d.csv'`:                `TypeError: the first argument must be a File`,
		`undefined`:              `TypeError: the first argument`,
		`await open('d.csv'), 1`: `TypeError: the options must be an object`,
		`await open('d.csv'), { delimiter: 'ab' }`:        `TypeError: the delimiter must be one character`,
		`await open('d.csv'), { delimiter: '"' }`:         `TypeError: the delimiter`,
		`await open('d.csv'), { delimiter: 1 }`:           `TypeError: the option delimiter cannot be 1`,
		`await open('d.csv'), { fromLine: -1 }`:           `negative`,
		`await open('d.csv'), { fromLine: 1.5 }`:          `the option fromLine cannot be 1.5`,
		`await open('d.csv'), { fromLine: 3, toLine: 2 }`: `fromLine must not be greater`,
	} {
		b.Want(`return (async () => { try { await m.parse(`+call+`); } catch (e) { return String(e).includes(`+fmt.Sprintf("%q", want)+`) || String(e); } })()`, "true")
		b.Want(`return (async () => { try { const p = new m.Parser(`+call+`); while (!(await p.next()).done); } catch (e) { return String(e).includes(`+fmt.Sprintf("%q", want)+`) || String(e); } })()`, "true")
	}
}

// A table of many rows is hardly more than the file, and two virtual users have one.
func TestMemory(t *testing.T) {
	var text strings.Builder
	for n := range 100_000 {
		fmt.Fprintf(&text, "user-%d,password-%d,user-%d@example.test\n", n, n, n)
	}
	data := []byte(text.String())
	one := bench(t, nil)
	one.Host.Files = func() modules.Files {
		return modules.Files{Base: "file:///d/s.js", Open: func(string) ([]byte, error) { return data, nil }}
	}
	heap := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	before := heap()
	one.Want(`return (async () => { globalThis.a = await m.parse(await open('x')); return a.length + a[99999][0]; })()`, "100000user-99999")
	if grown := int64(heap()) - int64(before); grown > int64(len(data))*3/10 {
		t.Errorf("a file of %d bytes takes %d more", len(data), grown)
	}
	runtime.KeepAlive(one)
}

func BenchmarkElement(b *testing.B) {
	bn := bench(b, map[string]string{"x": strings.Repeat("user,password,mail@example.test\n", 1000)})
	bn.Text(`return (async () => { globalThis.a = await m.parse(await open('x')); return 1; })()`)
	f := bn.Function(`return a[500]`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f(nil); err != nil {
			b.Fatal(err)
		}
	}
}
