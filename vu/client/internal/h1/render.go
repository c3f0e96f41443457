// Hot path: appends to a borrowed buffer and allocates nothing.

// Package h1 speaks HTTP/1.1 over connections that one virtual user owns.
//
// Its core does no I/O: Render turns a request into bytes and Reader takes the
// bytes of an answer in pieces of any size. Around the core, Conn is the driver
// that waits on a goroutine; vu/client/loop drives the same core from an event
// loop. vu/client calls it. It knows no redirects, cookies or retries.
package h1

import (
	"strconv"

	"github.com/jsload/jsload/vu/client/proto"
)

// maxJoined is the largest body that is copied behind its head to leave in the
// same write.
const maxJoined = 64 << 10

// Compose appends a whole request to dst, except a body that is too large to be
// worth a copy: that is returned apart, to be sent after it.
func Compose(dst []byte, req *proto.Request) (out, body []byte) {
	if req.Head != nil {
		dst = append(dst, req.Head...)
	} else {
		dst = Render(dst, req)
	}
	switch {
	case req.Chunked:
		return appendChunked(dst, req.Body), nil
	case len(req.Body) <= maxJoined:
		return append(dst, req.Body...), nil
	}
	return dst, req.Body
}

// Render appends the head of a request, the empty line included, to dst. Names
// and values must be free of line breaks; vu/client checks that.
func Render(dst []byte, req *proto.Request) []byte {
	dst = append(dst, req.Method...)
	dst = append(dst, ' ')
	dst = append(dst, req.Target...)
	dst = append(dst, " HTTP/1.1\r\n"...)
	dst = appendField(dst, "Host", req.Host)
	if req.UserAgent != "" {
		dst = appendField(dst, "User-Agent", req.UserAgent)
	}
	if req.Close {
		dst = appendField(dst, "Connection", "close")
	}
	dst = appendFraming(dst, req)
	for _, f := range req.Header {
		dst = appendField(dst, f.Name, f.Value)
	}
	return append(dst, "\r\n"...)
}

// appendFraming announces the body. Methods that usually carry one say so even
// when it is empty.
func appendFraming(dst []byte, req *proto.Request) []byte {
	switch {
	case req.Chunked:
		return appendField(dst, "Transfer-Encoding", "chunked")
	case len(req.Body) > 0, req.Method == "POST", req.Method == "PUT", req.Method == "PATCH":
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(len(req.Body)), 10)
		return append(dst, "\r\n"...)
	}
	return dst
}

func appendField(dst []byte, name, value string) []byte {
	dst = append(dst, name...)
	dst = append(dst, ": "...)
	dst = append(dst, value...)
	return append(dst, "\r\n"...)
}

// appendChunked appends a whole body in chunked coding.
func appendChunked(dst, body []byte) []byte {
	if len(body) > 0 {
		dst = strconv.AppendInt(dst, int64(len(body)), 16)
		dst = append(dst, "\r\n"...)
		dst = append(dst, body...)
		dst = append(dst, "\r\n"...)
	}
	return append(dst, "0\r\n\r\n"...)
}
