package k6data_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6data"
	"github.com/jsload/jsload/modules/moduletest"
)

// bench is a runtime in the init stage.
func bench(t *testing.T) *moduletest.Bench {
	t.Helper()
	return moduletest.New(t, k6data.New(), moduletest.Config{Init: true})
}

func TestReading(t *testing.T) {
	b := bench(t)
	b.Text(`a = new m.SharedArray('a', () => [{ id: 1, deep: { list: [1, 2] } }, 'text', 3, null, NaN, new Date(0), [4]])`)
	for _, tc := range []struct{ snippet, want string }{
		{`a.length`, "7"},
		{`JSON.stringify(a)`, `[{"id":1,"deep":{"list":[1,2]}},"text",3,null,null,"1970-01-01T00:00:00.000Z",[4]]`},
		{`a[0].deep.list[1] + a[1] + a[2]`, "2text3"},
		{`String(a[7]) + a[-1] + a.at(-1)[0]`, "undefinedundefined4"},
		{`[...a].length + ' ' + a.map((x) => typeof x).join()`, "7 object,string,number,object,object,string,object"},
		{`let n = 0; for (const i in a) n++; for (const x of a) n++; return n`, "14"},
		{`Array.isArray(a) + ' ' + (a instanceof m.SharedArray) + ' ' + (a instanceof Array)`, "true true true"},
		{`a.find((x) => x && x.id === 1).id + ' ' + a.indexOf('text') + ' ' + a.slice(1, 3).join()`, "1 1 text,3"},
		{`a[0] === a[0]`, "false"},
		{`Object.isFrozen(a[0]) && Object.isFrozen(a[0].deep.list)`, "true"},
		{`new m.SharedArray('empty', () => []).length`, "0"},
		{`new m.SharedArray('a', () => { throw new Error('not called again') }).length`, "7"},
	} {
		if tc.snippet[:3] != "let" {
			tc.snippet = "return " + tc.snippet
		}
		b.Want(tc.snippet, tc.want)
	}
	// What JSON cannot hold fails when it is read.
	b.Throws(`new m.SharedArray('holes', () => [undefined, 1])[0]`, "SyntaxError: element 0 of the SharedArray is not valid JSON")
	b.Want(`return new m.SharedArray('holes', () => [])[1]`, "1")
	for _, snippet := range []string{`a[0] = 1`, `a.push(1)`, `a.length = 0`, `a.sort()`, `a[99] = 1`} {
		b.Throws("'use strict'; "+snippet, "TypeError: SharedArray is immutable")
	}
	b.Throws(`'use strict'; a[0].id = 2`, "TypeError")
	b.Throws(`'use strict'; a[0].deep.list.push(2)`, "TypeError")
}

func TestWrongUse(t *testing.T) {
	b := bench(t)
	for snippet, want := range map[string]string{
		`new m.SharedArray('', () => [])`:                             "empty name",
		`new m.SharedArray('x')`:                                      "a function is expected",
		`new m.SharedArray('y', () => ({}))`:                          "only arrays can be made into SharedArray",
		`new m.SharedArray('z', async () => [])`:                      "does not support async functions",
		`new m.SharedArray('w', () => { throw new RangeError('r') })`: "RangeError: r",
	} {
		b.Throws(snippet, want)
	}
	b.Host.Stage = modules.StageVU
	b.Throws(`new m.SharedArray('late', () => [])`, "must be called in the init context")
}

// TestSharing checks that a second virtual user reads the same elements, and that
// each meets a failure as an exception of its own.
func TestSharing(t *testing.T) {
	first, second := bench(t), bench(t)
	second.Host.Run = first.Host.Run
	first.Text(`new m.SharedArray('list', () => [{ n: 1 }])`)
	second.Want(`return new m.SharedArray('list', () => [])[0].n`, "1")
	first.Throws(`new m.SharedArray('bad', () => { throw new RangeError('no data') })`, "RangeError: no data")
	second.Throws(`new m.SharedArray('bad', () => { throw new TypeError('none here') })`, "TypeError: none here")
	second.Want(`return new m.SharedArray('bad', () => [5])[0]`, "5")
}

// TestSharingAtOnce checks that virtual users that start together call the
// function once if it succeeds and each for itself if it fails.
func TestSharingAtOnce(t *testing.T) {
	run := bench(t).Host.Run
	var calls, failures atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		b := bench(t)
		b.Host.Run = run
		_ = b.Host.Runtime.Set("called", func() { calls.Add(1) })
		wg.Go(func() {
			v, err := b.Eval(`return new m.SharedArray('one', () => { called(); return [1, 2] }).length`)
			if err != nil || v.ToInteger() != 2 {
				t.Errorf("got %v, %v", v, err)
			}
			if _, err := b.Eval(`new m.SharedArray('bad', () => { throw new RangeError('own') })`); err != nil && strings.Contains(err.Error(), "RangeError: own") {
				failures.Add(1)
			}
		})
	}
	wg.Wait()
	if calls.Load() != 1 || failures.Load() != 8 {
		t.Errorf("%d calls and %d failures, want 1 and 8", calls.Load(), failures.Load())
	}
}
