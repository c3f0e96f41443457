package k6fs_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/k6fs"
	"github.com/jsload/jsload/modules/moduletest"
)

func bench(t *testing.T) *moduletest.Bench {
	b := moduletest.New(t, k6fs.New(), moduletest.Config{Init: true})
	b.Host.Files = func() modules.Files {
		return modules.Files{Base: "file:///dir/sub/script.js", Open: func(name string) ([]byte, error) {
			switch name {
			case "../a.txt", "/abs/a.txt":
				return []byte("0123456789"), nil
			case "empty":
				return nil, nil
			case "folder":
				return nil, errors.New("is a folder")
			}
			return nil, fmt.Errorf("open: %w", fs.ErrNotExist)
		}}
	}
	return b
}

func TestFile(t *testing.T) {
	b := bench(t)
	for _, c := range []struct{ snippet, want string }{
		{`f.path`, "/dir/a.txt"},
		{`(await m.open('/abs/a.txt')).path`, "/abs/a.txt"},
		{`JSON.stringify(await f.stat()) + Object.keys(f).join()`, `{"name":"a.txt","size":10}path`},
		{`await f.read(buf) + ' ' + buf.join()`, "4 48,49,50,51"},
		{`await f.seek(8, m.SeekMode.Start)`, "8"},
		{`await f.read(buf) + ' ' + buf.join()`, "2 56,57,50,51"},
		{`String(await f.read(buf))`, "null"},
		{`await f.seek(-4, m.SeekMode.Current)`, "6"},
		{`await f.seek(-10, m.SeekMode.End)`, "0"},
		{`await f.seek(0, m.SeekMode.End)`, "10"},
		{`String(await (await m.open('empty')).read(buf))`, "null"},
		{`await f.seek(0, 0) + await f.read(new Uint8Array(buf.buffer, 1, 2)) + buf.join()`, "256,48,49,51"},
	} {
		b.Want(`return (async () => { globalThis.f ??= await m.open('../a.txt'); globalThis.buf ??= new Uint8Array(4); return `+c.snippet+`; })()`, c.want)
	}
}

func TestTwoFilesHaveTwoPositions(t *testing.T) {
	bench(t).Want(`return (async () => {
		const a = await m.open('../a.txt'), b = await m.open('../a.txt'), buf = new Uint8Array(3);
		await a.read(buf);
		buf[0] = 0; // the file does not notice
		await b.read(buf);
		return buf.join();
	})()`, "48,49,50")
}

func TestErrors(t *testing.T) {
	b := bench(t)
	for snippet, want := range map[string]string{
		`m.open('gone')`:                        "NotFoundError",
		`m.open('folder')`:                      "InvalidResourceError",
		`m.open('')`:                            "TypeError",
		`m.open()`:                              "TypeError",
		`f.seek(-5, m.SeekMode.Start)`:          "TypeError",
		`f.seek(99, m.SeekMode.Start)`:          "TypeError",
		`f.seek(1, m.SeekMode.End)`:             "TypeError",
		`f.seek(1)`:                             "TypeError",
		`f.seek(1, 7)`:                          "TypeError",
		`f.seek('x', 0)`:                        "TypeError",
		`f.seek(0.5, 0)`:                        "TypeError",
		`f.read()`:                              "TypeError",
		`f.read([1])`:                           "TypeError",
		`f.read(new ArrayBuffer(2))`:            "TypeError",
		`f.read(new Uint16Array(2))`:            "TypeError",
		`(async () => f.read.call({}, null))()`: "TypeError",
	} {
		b.Want(`return (async () => { const f = await m.open('../a.txt'); try { await `+snippet+`; } catch (e) { return e instanceof Error && e.name; } })()`, want)
	}
	b.Host.Stage = modules.StageVU
	b.Want(`return m.open('../a.txt').catch((e) => e.name)`, "ForbiddenError")
}
