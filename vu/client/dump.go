package client

import (
	"github.com/jsload/jsload/vu/client/internal/h1"
	"github.com/jsload/jsload/vu/client/proto"
)

// DumpRequest shows a request as HTTP/1.1 sends it, for debugging output.
func DumpRequest(req *proto.Request, body bool) []byte {
	b := h1.Render(nil, req)
	if body {
		b = append(b, req.Body...)
	}
	return b
}

// DumpResponse shows the status line, the header and the body, as far as they
// were read.
func DumpResponse(resp *proto.Response, body bool) []byte {
	var b []byte
	if resp.StatusText != "" {
		b = append(b, resp.Proto+" "+resp.StatusText+"\r\n"...)
		b = append(b, resp.Header...)
		b = append(b, "\r\n"...)
	}
	if body {
		b = append(b, resp.Body...)
	}
	return b
}
