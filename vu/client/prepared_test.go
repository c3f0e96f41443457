package client

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/jsload/jsload/vu/client/proto"
)

// TestPrepared sends headers again, changed in every way, and compares with a
// client that saw only the last.
func TestPrepared(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %v %d", r.Host, r.Header, len(body))
	})
	url := serving{}.serve(t, h)
	requests := []Request{
		{},
		{Header: []proto.Field{{Name: "x-a", Value: "1"}, {Name: "X-B", Value: "2"}}},
		{Header: []proto.Field{{Name: "x-a", Value: "1"}, {Name: "X-B", Value: "2"}}},
		{Header: []proto.Field{{Name: "x-a", Value: "1"}, {Name: "X-B", Value: "3"}}},
		{Header: []proto.Field{{Name: "x-a", Value: "1"}}},
		{Header: []proto.Field{{Name: "host", Value: "h.test"}, {Name: "cookie", Value: "a=b"}, {Name: "user-agent", Value: "ua"}}},
		{Header: []proto.Field{{Name: "host", Value: "h.test"}, {Name: "cookie", Value: "a=b"}, {Name: "user-agent", Value: "ua"}}},
		{Header: []proto.Field{{Name: "host", Value: "h.test"}, {Name: "cookie", Value: "a=b"}, {Name: "user-agent", Value: "ua"}}, Cookies: []Cookie{{Name: "c", Value: "d"}}},
		{Header: []proto.Field{{Name: "X-A", Value: "1"}}, Body: []byte("body"), Compression: []Encoding{Gzip}, Method: "POST"},
		{Header: []proto.Field{{Name: "X-A", Value: "1"}}, Body: []byte("body"), Method: "POST"},
		{Header: []proto.Field{{Name: "bad name", Value: "1"}}},
		{Header: []proto.Field{{Name: "bad name", Value: "1"}}},
		{Header: []proto.Field{{Name: "X-Large", Value: strings.Repeat("x", maxKeptHeader)}}},
		{},
	}
	old := newClient(t, Config{})
	for i, req := range requests {
		req.URL = url
		fresh := old.network.Client(2)
		want, got := do(fresh, req), do(old, req)
		fresh.Close()
		if string(got.Body) != string(want.Body) || fmt.Sprint(got.Err) != fmt.Sprint(want.Err) || fmt.Sprint(got.Sent) != fmt.Sprint(want.Sent) {
			t.Errorf("request %d: %q %v, want %q %v", i, got.Body, got.Err, want.Body, want.Err)
		}
	}
	for _, call := range old.spare {
		if call.header.size > maxKeptHeader {
			t.Errorf("%d bytes of header are kept", call.header.size)
		}
	}
}
