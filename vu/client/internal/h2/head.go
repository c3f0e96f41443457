// Hot path: the head of a request like the last one is not encoded again.

package h2

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/proto"
)

// lastHead remembers the head that was encoded last. Its block may be sent again
// if encoding it changed nothing in the encoder's table.
type lastHead struct {
	encodedHead                         []byte
	encodedValid                        bool
	method, scheme, host, target, agent string
	header                              []proto.Field
	length                              int // announced; negative if not
}

var errHeadTooLong = errors.New("http2: the request's header is larger than the server allows")

// encode returns the header block of a request, valid until the next one.
func (c *Conn) encode(req *proto.Request) ([]byte, error) {
	length := announced(req)
	if c.encodedValid && c.same(req, length) {
		return c.encodedHead, nil
	}
	if size := c.size(req, length); size > c.peer.maxHead {
		return nil, errHeadTooLong
	}
	h := headEncoder{c: c}
	c.encoded.Reset()
	h.field(":method", req.Method)
	if req.Method != "CONNECT" {
		h.field(":scheme", req.Scheme)
	}
	h.field(":authority", req.Host)
	if req.Method != "CONNECT" {
		h.field(":path", req.Target)
	}
	if req.UserAgent != "" {
		h.field("user-agent", req.UserAgent)
	}
	if length >= 0 {
		h.field("content-length", strconv.Itoa(length))
	}
	for _, f := range req.Header {
		if !forbidden(f) {
			h.field(c.lowered(f.Name), f.Value)
		}
	}
	c.remember(req, length, !h.changed)
	return c.encodedHead, nil
}

// headEncoder encodes fields and notes whether they went into the table.
type headEncoder struct {
	c       *Conn
	changed bool
}

func (h *headEncoder) field(name, value string) {
	before := h.c.encoded.Len()
	h.c.encoder.WriteField(hpack.HeaderField{Name: name, Value: value})
	// 1xxxxxxx is in the table, 0000xxxx and 0001xxxx stay outside; all else changes it.
	first := h.c.encoded.Bytes()[before]
	h.changed = h.changed || first&0x80 == 0 && first&0xe0 != 0
}

// announced is the length that the head tells; negative if it tells none.
func announced(req *proto.Request) int {
	switch {
	case req.Chunked:
		return -1
	case len(req.Body) > 0, req.Method == "POST", req.Method == "PUT", req.Method == "PATCH":
		return len(req.Body)
	}
	return -1
}

// size is that of the head as HTTP/2 counts it.
func (c *Conn) size(req *proto.Request, length int) int64 {
	const perField = 32
	size := len(":method:scheme:authority:path") + 4*perField + len(req.Method) + len(req.Scheme) + len(req.Host) + len(req.Target)
	if req.UserAgent != "" {
		size += len("user-agent") + len(req.UserAgent) + perField
	}
	if length >= 0 {
		size += len("content-length") + perField + 20
	}
	for _, f := range req.Header {
		size += len(f.Name) + len(f.Value) + perField
	}
	return int64(size)
}

// same reports whether a request has the head of the last one.
func (l *lastHead) same(req *proto.Request, length int) bool {
	return l.length == length && l.target == req.Target && l.method == req.Method && l.host == req.Host &&
		l.scheme == req.Scheme && l.agent == req.UserAgent && slices.Equal(l.header, req.Header)
}

func (c *Conn) remember(req *proto.Request, length int, valid bool) {
	l := &c.lastHead
	l.encodedHead = append(l.encodedHead[:0], c.encoded.Bytes()...)
	l.encodedValid = valid
	l.method, l.scheme, l.host, l.target, l.agent, l.length = req.Method, req.Scheme, req.Host, req.Target, req.UserAgent, length
	l.header = append(l.header[:0], req.Header...)
}

// forbidden names the fields that are about an HTTP/1.1 connection.
func forbidden(f proto.Field) bool {
	switch f.Name {
	case "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "Upgrade", "Host", "Http2-Settings":
		return true
	case "Te":
		return f.Value != "trailers"
	}
	return false
}

// maxNames bounds the header names that a connection remembers in lower case.
const maxNames = 64

func (c *Conn) lowered(name string) string {
	if l, ok := c.lower[name]; ok {
		return l
	}
	l := strings.ToLower(name)
	if c.lower == nil {
		c.lower = make(map[string]string)
	}
	if len(c.lower) < maxNames {
		c.lower[name] = l
	}
	return l
}
