package h1

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/jsload/jsload/vu/client/proto"
)

// Tunnel asks the proxy at the other end of nc for a tunnel to addr, with the
// given value of Proxy-Authorization, if any. A refusal is an error with the
// status as its text.
func Tunnel(ctx context.Context, nc net.Conn, addr, authorization string) error {
	stop := context.AfterFunc(ctx, func() { nc.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	req := proto.Request{Method: "CONNECT", Target: addr, Host: addr}
	if authorization != "" {
		req.Header = []proto.Field{{Name: "Proxy-Authorization", Value: authorization}}
	}
	if _, err := nc.Write(Render(nil, &req)); err != nil {
		return err
	}
	var resp proto.Response
	if err := readHead(nc, &resp); err != nil {
		return err
	}
	if resp.Status/100 != 2 {
		return errors.New("proxy refused the tunnel: " + resp.StatusText)
	}
	return nil
}

// readHead reads the head of an answer and nothing beyond it.
func readHead(nc io.Reader, resp *proto.Response) error {
	var r Reader
	r.Reset("CONNECT", resp, true)
	var b [1]byte
	for !r.InBody() {
		n, err := nc.Read(b[:])
		if n > 0 {
			if _, err := r.Feed(b[:]); err != nil {
				return err
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
