package k6secrets_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jsload/jsload/modules/k6secrets"
	"github.com/jsload/jsload/modules/moduletest"
	"github.com/jsload/jsload/vu/secret"
)

func bench(t *testing.T, specs ...string) *moduletest.Bench {
	t.Helper()
	var store *secret.Store
	if len(specs) > 0 {
		var err error
		if store, err = secret.Open(specs, secret.Config{Redactor: &secret.Redactor{}}); err != nil {
			t.Fatal(err)
		}
	}
	return moduletest.New(t, k6secrets.New(), moduletest.Config{Secrets: store})
}

func TestGet(t *testing.T) {
	b := bench(t, "mock=default,a=one", "mock=name=other,a=two")
	b.Want(`return Object.keys(m).join()`, "get,source")
	b.Want(`return typeof m.get('a').then`, "function")
	b.Want(`return (async () => await m.get('a') + await m.source('other').get('a'))()`, "onetwo")
	b.Want(`return (async () => { try { await m.get('b'); } catch (e) { return e instanceof Error && String(e); } })()`, `GoError: there is no secret of this key: "b"`)
	b.Throws(`m.source('none')`, `no secret source named "none"`)
}

func TestNoSource(t *testing.T) {
	b := bench(t)
	b.Want(`return m.get('a').catch((e) => 'caught ' + String(e))`, "caught GoError: no secret source is configured; name one with --secret-source")
	b.Throws(`m.source('x')`, "no secret source is configured")
}

func TestRemote(t *testing.T) {
	entered := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			entered <- struct{}{}
			<-r.Context().Done()
			return
		}
		_, _ = w.Write([]byte("value of " + r.URL.Path))
	}))
	defer server.Close()
	b := bench(t, "url=urlTemplate="+server.URL+"/{key}")
	b.Want(`return Promise.all([m.get('a'), m.get('b'), m.get('a')]).then((l) => l.join())`, "value of /a,value of /b,value of /a")
	go func() {
		<-entered
		b.Cancel()
	}()
	if _, err := b.Eval(`return m.get('slow')`); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted get ends with %v", err)
	}
}
