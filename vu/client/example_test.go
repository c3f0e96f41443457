package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/old" {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "old"})
			http.Redirect(w, r, "/new", http.StatusMovedPermanently)
			return
		}
		fmt.Fprint(w, r.Method, " ", r.Header.Get("Cookie"), " ", r.Header.Get("X-Token"))
	}))
	defer server.Close()

	network := client.NewNetwork(client.Config{UserAgent: "example", MaxRedirects: 10})
	defer network.Close()
	c := network.Client(1)
	defer c.Close()

	var resp client.Response
	c.Do(&client.Request{
		Method: "POST",
		URL:    server.URL + "/old",
		Header: []proto.Field{{Name: "x-token", Value: "t1"}},
		Body:   []byte("data"),
	}, &resp)
	if resp.Err != nil {
		fmt.Println(resp.Err.Code, resp.Err)
		return
	}
	fmt.Println(resp.StatusText, string(resp.Body))
	for _, x := range resp.Exchanges {
		fmt.Println(x.Method, x.Status, x.Reused)
	}
	// Output:
	// 200 OK GET seen=old t1
	// POST 301 false
	// GET 200 true
}
