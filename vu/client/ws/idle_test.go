package ws

import (
	"net"
	"runtime"
	"testing"

	"github.com/jsload/jsload/vu/client"
)

// TestIdleCost bounds what an idle connection holds, the stack of its goroutine
// included. The descriptor of the server's end is part of it.
func TestIdleCost(t *testing.T) {
	const conns, limit = 400, 20 << 10 // bytes each
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ends := make(chan net.Conn, conns)
	go func() {
		defer close(ends)
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			accept(nc, "")
			ends <- nc
		}
	}()
	network := client.NewNetwork(client.Config{})
	defer network.Close()
	user := network.Client(1)
	defer user.Close()
	shared := new(Shared)
	r := &Request{URL: "ws://" + l.Addr().String()}
	before := inUse()
	var all []*Conn
	for range conns {
		c, _, err := shared.Dial(t.Context(), user.Dialer(), r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	each := (inUse() - before) / conns
	t.Logf("%d bytes each", each)
	if each > limit {
		t.Errorf("an idle connection holds %d bytes, at most %d are allowed", each, limit)
	}
	for _, c := range all {
		c.Interrupt()
	}
	for _, c := range all {
		c.Wait()
	}
	l.Close()
	for nc := range ends {
		nc.Close()
	}
	if sent := user.Dialer().Sent(); sent == 0 {
		t.Error("no bytes were counted")
	}
}

func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
