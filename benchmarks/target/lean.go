// Hot path of the lean server: nothing here may allocate per request.

package target

import (
	"bytes"
	"errors"
	"strconv"
)

const (
	// maxHead bounds a request head of the lean server.
	maxHead = 64 << 10
	// inlineBody is the longest body that is copied beside its head into one write.
	inlineBody = patternSize
)

var (
	errHead    = errors.New("malformed request head")
	errTooLong = errors.New("request head is too long")
	errChunked = errors.New("chunked requests are not served")
)

// leanRequest is what the lean server reads of a request head.
type leanRequest struct {
	path, query []byte // into the input
	// length is the number of body bytes that follow the head.
	length int64
	// isHead leaves the body out of the answer, last closes behind it, expects
	// asks for "100 Continue" before the body.
	isHead, last, expects bool
}

// parseHead reads one request head. It returns the bytes it takes, or 0 when the
// head is not complete yet.
func parseHead(in []byte) (req leanRequest, n int, err error) {
	end := bytes.Index(in, []byte("\r\n\r\n"))
	if end < 0 {
		if len(in) > maxHead {
			return req, 0, errTooLong
		}
		return req, 0, nil
	}
	line, fields, _ := bytes.Cut(in[:end+2], []byte("\r\n"))
	method, rest, ok1 := bytes.Cut(line, []byte(" "))
	uri, proto, ok2 := bytes.Cut(rest, []byte(" "))
	if !ok1 || !ok2 || len(method) == 0 || len(uri) == 0 || (string(proto) != "HTTP/1.1" && string(proto) != "HTTP/1.0") {
		return req, 0, errHead
	}
	req.isHead = string(method) == "HEAD"
	req.last = string(proto) == "HTTP/1.0"
	req.path, req.query, _ = bytes.Cut(pathOf(uri), []byte("?"))
	for len(fields) > 0 && err == nil {
		line, fields, _ = bytes.Cut(fields, []byte("\r\n"))
		err = req.field(line)
	}
	return req, end + 4, err
}

// pathOf takes the scheme and the host off an absolute request target.
func pathOf(uri []byte) []byte {
	if uri[0] == '/' {
		return uri
	}
	_, rest, absolute := bytes.Cut(uri, []byte("://"))
	if !absolute {
		return uri
	}
	if slash := bytes.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:]
	}
	return []byte("/")
}

// field takes note of the few header fields that matter here. The first letter
// sorts out nearly all others.
func (r *leanRequest) field(line []byte) error {
	if len(line) == 0 || bytes.IndexByte(line, '\n') >= 0 {
		return errHead
	}
	switch line[0] | 0x20 {
	case 'c', 't', 'e':
	default:
		return nil
	}
	name, value, ok := bytes.Cut(line, []byte(":"))
	if !ok {
		return errHead
	}
	value = bytes.TrimSpace(value)
	switch {
	case bytes.EqualFold(name, []byte("Content-Length")):
		n, err := strconv.ParseUint(string(value), 10, 62)
		if err != nil {
			return errHead
		}
		r.length = int64(n)
	case bytes.EqualFold(name, []byte("Connection")):
		if bytes.EqualFold(value, []byte("close")) {
			r.last = true
		} else if bytes.EqualFold(value, []byte("keep-alive")) {
			r.last = false
		}
	case bytes.EqualFold(name, []byte("Transfer-Encoding")):
		return errChunked
	case bytes.EqualFold(name, []byte("Expect")):
		r.expects = bytes.EqualFold(value, []byte("100-continue"))
	}
	return nil
}

const (
	leanHead = "HTTP/1.1 200 OK\r\nServer: jsload-target\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
	leanOK   = leanHead + "2\r\n\r\nok"
)

// answer appends an answer to out. large is the number of pattern bytes that
// are to follow out on the wire, when they are too many to copy.
func (s *leanServer) answer(out []byte, req *leanRequest) (_ []byte, r route, large int) {
	r, arg := match(req.path)
	switch r {
	case routeOK:
		if !req.isHead {
			return append(out, leanOK...), r, 0
		}
		return append(out, leanOK[:len(leanOK)-2]...), r, 0
	case routeSize:
		n, ok := decimal(arg, maxSize)
		if !ok {
			return appendRefusal(out, req, "400 Bad Request"), r, 0
		}
		out = strconv.AppendInt(append(out, leanHead...), int64(n), 10)
		out = append(out, "\r\n\r\n"...)
		if req.isHead {
			return out, r, 0
		}
		if n > inlineBody {
			return out, r, n
		}
		return append(out, s.pattern[:n]...), r, 0
	case routeCount:
		var digits [20]byte
		return appendBody(out, req, "text/plain; charset=utf-8", strconv.AppendInt(digits[:0], s.stats.count(), 10)), r, 0
	case routeStats:
		return appendBody(out, req, "application/json", s.figures(req)), r, 0
	}
	return appendRefusal(out, req, "404 Not Found"), routeOther, 0
}

func appendBody(out []byte, req *leanRequest, contentType string, body []byte) []byte {
	out = append(out, "HTTP/1.1 200 OK\r\nServer: jsload-target\r\nContent-Type: "...)
	out = append(append(out, contentType...), "\r\nContent-Length: "...)
	out = strconv.AppendInt(out, int64(len(body)), 10)
	out = append(out, "\r\n\r\n"...)
	if req.isHead {
		return out
	}
	return append(out, body...)
}

// appendRefusal answers with a status line and no body.
func appendRefusal(out []byte, req *leanRequest, status string) []byte {
	out = append(append(out, "HTTP/1.1 "...), status...)
	out = append(out, "\r\nServer: jsload-target\r\nContent-Length: 0\r\n"...)
	if req.last {
		out = append(out, "Connection: close\r\n"...)
	}
	return append(out, "\r\n"...)
}

// refusalOf returns the status line for a head that cannot be served.
func refusalOf(err error) string {
	switch {
	case errors.Is(err, errTooLong):
		return "431 Request Header Fields Too Large"
	case errors.Is(err, errChunked):
		return "501 Not Implemented"
	}
	return "400 Bad Request"
}
