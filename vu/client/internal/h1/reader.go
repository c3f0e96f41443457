// Hot path: allocates nothing once the buffers of the response have grown.

package h1

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"github.com/jsload/jsload/vu/client/proto"
)

// maxHead bounds the bytes of all heads of one answer, interim ones included;
// net/http has the same bound.
const maxHead = 10 << 20

// maxAhead bounds what is allocated for a body because its length was announced;
// beyond it the buffer grows with what really comes.
const maxAhead = 1 << 20

type state uint8

const (
	inStatus state = iota
	inHeader
	inBody   // remain bytes to go
	inStream // until the connection ends
	inChunks
	finished
)

// Reader reads one answer at a time. The zero Reader is ready for Reset.
type Reader struct {
	resp    *proto.Response
	state   state
	noBody  bool // the request was HEAD
	discard bool
	started bool // a byte has come
	folded  bool // the header has continuation lines
	head    int  // bytes of heads so far
	tail    []byte
	remain  int64
	framing framing
	chunks  chunks
}

// framing is what the head says about the body's end.
type framing struct {
	old       bool // below HTTP/1.1
	ancient   bool // below HTTP/1.0
	close     bool
	keepAlive bool
	encodings int  // Transfer-Encoding fields
	chunked   bool // the last of them was exactly "chunked"
	err       error
	lengths   int // Content-Length fields
	length    int64
	lengthAs  []byte // the first of them as written, part of the header
}

// Reset prepares for the answer to a request with the given method. The answer
// is stored in resp, whose buffers are used again.
func (r *Reader) Reset(method string, resp *proto.Response, discard bool) {
	tail := r.tail[:0]
	if cap(tail) > 64<<10 {
		tail = nil
	}
	*r = Reader{resp: resp, noBody: method == "HEAD", discard: discard, tail: tail}
	resp.Header = resp.Header[:0]
	resp.Body = resp.Body[:0]
	resp.BodyLen = 0
	resp.Close, resp.Stale, resp.SetsCookie, resp.Encoded = false, false, false, false
}

// Done reports whether the answer is complete.
func (r *Reader) Done() bool { return r.state == finished }

// Started reports whether any byte of the answer has come.
func (r *Reader) Started() bool { return r.started }

// InBody reports whether a final head was read whole.
func (r *Reader) InBody() bool { return r.state >= inBody }

// Feed takes the next bytes and returns how many of them belong to the answer.
// Fewer than given means that it is complete and that the rest was not asked for.
// After an error only Reset may follow.
func (r *Reader) Feed(p []byte) (int, error) {
	if len(p) > 0 {
		r.started = true
	}
	n := 0
	for n < len(p) && r.state != finished {
		used, err := r.step(p[n:])
		n += used
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// EOF says that the connection ended. It is an error unless the answer ended
// with it.
func (r *Reader) EOF() error {
	switch {
	case r.state == finished:
		return nil
	case r.state == inStream:
		r.state = finished
		return nil
	case !r.started:
		return io.EOF
	}
	return io.ErrUnexpectedEOF
}

func (r *Reader) step(p []byte) (int, error) {
	switch r.state {
	case inBody:
		n := int(min(int64(len(p)), r.remain))
		r.store(p[:n])
		if r.remain -= int64(n); r.remain == 0 {
			r.state = finished
		}
		return n, nil
	case inStream:
		r.store(p)
		return len(p), nil
	case inChunks:
		return r.chunks.feed(r, p)
	}
	return r.headLine(p)
}

func (r *Reader) store(p []byte) {
	r.resp.BodyLen += int64(len(p))
	if !r.discard {
		r.resp.Body = append(r.resp.Body, p...)
	}
}

// minRoom is the least that is read straight into a body.
const minRoom = 16 << 10

// Room offers the free part of the body's buffer when much of the body is still
// to come; nil asks for Feed.
func (r *Reader) Room() []byte {
	if r.state != inBody || r.discard || r.remain < minRoom {
		return nil
	}
	body := r.resp.Body
	if cap(body)-len(body) < minRoom {
		body = slices.Grow(body, int(min(r.remain, int64(max(len(body), minRoom)))))
		r.resp.Body = body
	}
	return body[len(body):min(cap(body), len(body)+int(r.remain))]
}

// Took accepts n bytes that were read into Room. It reports false if in is
// another buffer.
func (r *Reader) Took(in []byte, n int) bool {
	body := r.resp.Body
	if r.state != inBody || cap(body) == len(body) || &in[0] != &body[:len(body)+1][len(body)] {
		return false
	}
	r.resp.Body = body[:len(body)+n]
	r.resp.BodyLen += int64(n)
	if r.remain -= int64(n); r.remain == 0 {
		r.state = finished
	}
	return true
}

// headLine consumes up to the end of one line of the head.
func (r *Reader) headLine(p []byte) (int, error) {
	line, n, ok := r.line(p)
	if r.head += n; r.head > maxHead {
		return n, errors.New("net/http: server response headers exceeded 10485760 bytes; aborted")
	}
	if !ok {
		return n, nil
	}
	if r.state == inStatus {
		return n, r.statusLine(line)
	}
	return n, r.headerLine(line)
}

// line returns the next line without its end, joining it with what came before.
// The line is valid until the next call.
func (r *Reader) line(p []byte) (line []byte, n int, ok bool) {
	i := bytes.IndexByte(p, '\n')
	if i < 0 {
		r.tail = append(r.tail, p...)
		return nil, len(p), false
	}
	line = p[:i]
	if len(r.tail) > 0 {
		r.tail = append(r.tail, line...)
		line, r.tail = r.tail, r.tail[:0]
	}
	if k := len(line); k > 0 && line[k-1] == '\r' {
		line = line[:k-1]
	}
	return line, i + 1, true
}

func (r *Reader) statusLine(line []byte) error {
	version, rest, ok := bytes.Cut(line, []byte{' '})
	if !ok {
		return garbled("malformed HTTP response %q", line)
	}
	for len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	code, _, _ := bytes.Cut(rest, []byte{' '})
	status, ok := threeDigits(code)
	if !ok {
		return garbled("malformed HTTP status code %q", code)
	}
	if !isVersion(version) {
		return garbled("malformed HTTP version %q", version)
	}
	r.framing = framing{
		old:     version[5] < '1' || version[5] == '1' && version[7] == '0',
		ancient: version[5] < '1',
	}
	x := &r.resp.Exchange
	x.Status, x.StatusText, x.Proto = status, statusText(status, rest), versionText(version)
	r.resp.SetsCookie, r.resp.Encoded = false, false
	r.state = inHeader
	return nil
}

func isVersion(v []byte) bool {
	return len(v) == 8 && string(v[:5]) == "HTTP/" && v[6] == '.' && isDigit(v[5]) && isDigit(v[7])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func threeDigits(b []byte) (int, bool) {
	if len(b) != 3 || !isDigit(b[0]) || !isDigit(b[1]) || !isDigit(b[2]) {
		return 0, false
	}
	return int(b[0]-'0')*100 + int(b[1]-'0')*10 + int(b[2]-'0'), true
}

func versionText(v []byte) string {
	switch string(v) {
	case "HTTP/1.1":
		return "HTTP/1.1"
	case "HTTP/1.0":
		return "HTTP/1.0"
	}
	return string(v)
}

// statusText returns status and reason, for the usual reasons without allocating.
func statusText(status int, text []byte) string {
	if status == 200 && string(text) == "200 OK" {
		return "200 OK"
	}
	if usual := proto.StatusText(status); usual == string(text) {
		return usual
	}
	return string(text)
}

// garbled is the error of an answer that is not HTTP. format quotes what of it is not,
// which is bounded.
func garbled(format string, b []byte) error {
	return &proto.Error{Code: proto.CodeGeneric, Kind: proto.Malformed, Text: fmt.Sprintf(format, b[:min(len(b), 80)])}
}

// headerLine takes one line of the header: a field, the continuation of one, or
// the empty line that ends it.
func (r *Reader) headerLine(line []byte) error {
	if len(line) == 0 {
		return r.endOfHead()
	}
	if line[0] == ' ' || line[0] == '\t' {
		return r.foldedLine(line)
	}
	line = trim(line)
	colon := 0
	for colon < len(line) && nameBytes[line[colon]] {
		colon++
	}
	if colon == 0 || colon == len(line) || line[colon] != ':' || !validValue(line[colon+1:]) {
		return malformed(line)
	}
	start := len(r.resp.Header)
	h := append(append(r.resp.Header, line...), "\r\n"...)
	r.resp.Header = h
	r.field(h[start:start+colon], h[start+colon+1:len(h)-2])
	return nil
}

func malformed(line []byte) error {
	if bytes.IndexByte(line, ':') < 0 {
		return garbled("malformed MIME header: missing colon: %q", line)
	}
	return garbled("malformed MIME header line: %q", line)
}

// foldedLine joins an old-style continuation to the field before it.
func (r *Reader) foldedLine(line []byte) error {
	h := r.resp.Header
	if len(h) == 0 {
		return garbled("malformed MIME header initial line: %q", line)
	}
	line = trim(line)
	if !validValue(line) {
		return garbled("malformed MIME header line: %q", line)
	}
	h = append(h[:len(h)-2], ' ')
	r.resp.Header = append(append(h, line...), "\r\n"...)
	r.folded = true
	return nil
}

func (r *Reader) endOfHead() error {
	if r.folded {
		r.rereadFields()
	}
	if r.framing.err != nil {
		return r.framing.err
	}
	status := r.resp.Status
	if status >= 100 && status <= 199 && status != http.StatusSwitchingProtocols {
		r.state = inStatus
		r.resp.Header = r.resp.Header[:0]
		return nil
	}
	f := &r.framing
	r.resp.Close = f.ancient || f.close || f.old && !f.keepAlive
	if r.resp.Body == nil {
		r.resp.Body = []byte{}
	}
	switch {
	case r.noBody || status < 200 || status == 204 || status == 304:
		r.state = finished
		r.resp.Close = r.resp.Close || status == http.StatusSwitchingProtocols
	case f.chunked:
		r.state = inChunks
	case f.lengths > 0:
		r.expect(f.length)
	default:
		r.state = inStream
		r.resp.Close = true
	}
	return nil
}

// expect prepares for a body of n bytes.
func (r *Reader) expect(n int64) {
	r.state, r.remain = inBody, n
	if n == 0 {
		r.state = finished
		return
	}
	if ahead := int(min(n, maxAhead)); !r.discard && cap(r.resp.Body) < ahead {
		r.resp.Body = make([]byte, 0, ahead)
	}
}

// rereadFields looks at all fields again, since a continuation may have changed
// any of them.
func (r *Reader) rereadFields() {
	f := &r.framing
	*f = framing{old: f.old, ancient: f.ancient}
	r.folded = false
	for rest := []byte(r.resp.Header); len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		colon := bytes.IndexByte(rest, ':')
		r.field(rest[:colon], rest[colon+1:i-1])
		rest = rest[i+1:]
	}
}

// field looks at the fields that say where the body ends, and marks what vu/client
// would otherwise have to search for. name and value are parts of the header.
func (r *Reader) field(name, value []byte) {
	switch len(name) {
	case len("Connection"):
		if fold(name, "connection") {
			r.connection(value)
		} else if fold(name, "set-cookie") {
			r.resp.SetsCookie = true
		}
	case len("Content-Length"):
		if fold(name, "content-length") {
			r.contentLength(trim(value))
		}
	case len("Content-Encoding"):
		if fold(name, "content-encoding") {
			r.resp.Encoded = true
		}
	case len("Transfer-Encoding"):
		if fold(name, "transfer-encoding") {
			r.transferEncoding(trim(value))
		}
	}
}

// misframed keeps the first error of a field. It counts at the end of the head,
// because a continuation may still mend the field.
func (r *Reader) misframed(err error) {
	if r.framing.err == nil {
		r.framing.err = err
	}
}

// trim removes spaces and tabs around b; bytes.Trim was 3 % of a request.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// fold compares a name with one in lower case.
func fold(name []byte, want string) bool {
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != want[i] {
			return false
		}
	}
	return true
}

func (r *Reader) connection(value []byte) {
	for len(value) > 0 {
		token, rest, _ := bytes.Cut(value, []byte{','})
		token = trim(token)
		switch {
		case len(token) == len("close") && fold(token, "close"):
			r.framing.close = true
		case len(token) == len("keep-alive") && fold(token, "keep-alive"):
			r.framing.keepAlive = true
		}
		value = rest
	}
}

// contentLength accepts a repeated length only if it says the same.
func (r *Reader) contentLength(value []byte) {
	f := &r.framing
	n, ok := decimal(value)
	if !ok {
		r.misframed(garbled("bad Content-Length %q", value))
	}
	if f.lengths > 0 && !bytes.Equal(value, f.lengthAs) {
		r.misframed(errors.New("http: message cannot contain multiple Content-Length headers"))
	}
	f.lengths++
	f.length, f.lengthAs = n, value
}

func decimal(b []byte) (n int64, ok bool) {
	for _, c := range b {
		if !isDigit(c) || n > (1<<63-1-9)/10 {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(b) > 0
}

// transferEncoding accepts one field that says "chunked" and nothing else; it
// means nothing before HTTP/1.1.
func (r *Reader) transferEncoding(value []byte) {
	f := &r.framing
	if f.old {
		return
	}
	f.encodings++
	f.chunked = len(value) == len("chunked") && fold(value, "chunked")
	switch {
	case f.encodings > 1:
		r.misframed(errors.New("too many transfer encodings"))
	case !f.chunked:
		r.misframed(garbled("unsupported transfer encoding: %q", value))
	}
}

// validName accepts tokens and, as net/http does, spaces.
func validName(b []byte) bool {
	for _, c := range b {
		if !nameBytes[c] {
			return false
		}
	}
	return len(b) > 0
}

// validValue refuses control bytes other than the tab. It looks at eight bytes at
// a time and closer only where one of them is suspicious.
func validValue(b []byte) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		del := x ^ 0x7f*ones
		if ((x-0x20*ones)&^x|(del-ones)&^del)&tops != 0 && !validBytes(b[:8]) {
			return false
		}
	}
	return validBytes(b)
}

func validBytes(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// nameBytes marks the bytes of tokens and the space; it is never changed.
var nameBytes = func() (t [256]bool) {
	for _, c := range []byte("!#$%&'*+-.^_`|~ 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t[c] = true
	}
	return t
}()
