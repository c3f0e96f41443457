// Hot path: see conn.go.

package h2

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/jsload/jsload/vu/client/internal/wire"
	"github.com/jsload/jsload/vu/client/proto"
)

const (
	// maxFrame is the largest payload we accept; it is the protocol's default, which
	// is not announced.
	maxFrame     = 16 << 10
	frameHeader  = 9
	streamWindow = 4 << 20
	connWindow   = 16 << 20
	tableSize    = 4096
	// fragmentCost is what each CONTINUATION counts for beside its bytes, so that
	// empty ones are bounded too.
	fragmentCost = 32
	// maxPending bounds what a server can make us queue by asking for answers.
	maxPending = 1 << 20
)

// input is the reading half of a connection, with its mutex held.
type input struct {
	conn     *Conn
	buf      *wire.Buffers // nil while nothing runs and nothing is left over
	at, have int           // what is left over of buf.In
	now      int64         // when the last bytes came
	whole    frames
	framer   *http2.Framer
	decoder  *hpack.Decoder
	target   *stream // whose head is being decoded

	settled    bool // the server's first frame has come
	recvWindow int64
	away       bool
	awayCode   http2.ErrCode

	// A head in several frames.
	block       []byte
	blockCost   int
	blockStream uint32
	blockEnd    bool // it ends the stream
}

func (in *input) init(c *Conn) {
	in.conn = c
	in.framer = http2.NewFramer(&c.output, &in.whole)
	in.framer.SetReuseFrames()
	in.framer.SetMaxReadFrameSize(maxFrame)
	in.decoder = hpack.NewDecoder(tableSize, func(f hpack.HeaderField) { in.target.field(f) })
	in.decoder.SetMaxStringLength(maxHead)
	in.recvWindow = connWindow
}

// free is where the next bytes go.
func (in *input) free() []byte {
	if in.buf == nil {
		in.buf = in.conn.shared.Borrow()
	}
	return in.buf.In[in.have:]
}

// rest gives the buffer back unless part of a frame is in it.
func (in *input) rest() {
	if in.buf != nil && in.have == 0 {
		in.conn.shared.Return(in.buf)
		in.buf = nil
	}
	if cap(in.block) > maxFrame {
		in.block = nil
	}
}

// took handles the frames that are complete after n more bytes.
func (c *Conn) took(n int) {
	c.have += n
	for c.err == nil && c.have-c.at >= frameHeader {
		b := c.buf.In[c.at:c.have]
		size := frameHeader + (int(b[0])<<16 | int(b[1])<<8 | int(b[2]))
		if size > frameHeader+maxFrame {
			c.oversized(b)
			break
		}
		if size > len(b) {
			break
		}
		c.whole.Reset(b[:size])
		c.at += size
		f, err := c.framer.ReadFrame()
		if err == nil {
			err = c.frame(f)
		}
		if err == nil && len(c.out) > maxPending+maxBatch {
			err = connError(http2.ErrCodeEnhanceYourCalm, "too many frames that want an answer")
		}
		if err != nil {
			c.wrong(err)
		}
	}
	c.have = copy(c.buf.In[:], c.buf.In[c.at:c.have])
	c.at = 0
}

// oversized ends the connection for a frame that is too large, or for an answer in
// another protocol.
func (c *Conn) oversized(b []byte) {
	text := "a frame is too large"
	if string(b[:5]) == "HTTP/" {
		text = "the server answers in HTTP/1.x"
	}
	c.wrong(connError(http2.ErrCodeFrameSize, text))
}

// wrong handles a violation of the protocol, of one stream or of the connection.
func (c *Conn) wrong(err error) {
	if e, ok := errors.AsType[http2.StreamError](err); ok {
		if s := c.stream(e.StreamID); s != nil {
			c.abandon(s, &proto.Error{Code: coded(proto.CodeHTTP2Stream, e.Code), Text: "http2: stream error: " + e.Code.String(), Cause: err}, e.Code)
		}
		return
	}
	code := http2.ErrCodeProtocol
	e, ok := errors.AsType[*proto.Error](err)
	if ok {
		code = http2.ErrCode(max(0, e.Code-proto.CodeHTTP2Connection-1))
	} else if ce, ok := errors.AsType[http2.ConnectionError](err); ok {
		code = http2.ErrCode(ce)
		text := "the connection's framing is broken"
		if detail := c.framer.ErrorDetail(); detail != nil {
			text = detail.Error()
		}
		e = connError(code, text)
	} else {
		e = connError(code, err.Error())
	}
	c.framer.WriteGoAway(0, code, nil)
	c.pushLocked()
	c.end(e)
}

// stream finds an open stream.
func (c *Conn) stream(id uint32) *stream {
	for _, s := range c.streams {
		if s.id == id {
			return s
		}
	}
	return nil
}

// opened finds a stream that a frame speaks of; nil if it is over. A stream that
// was never opened is an error.
func (c *Conn) opened(id uint32) (*stream, error) {
	if id%2 == 0 || id >= c.nextID {
		return nil, connError(http2.ErrCodeProtocol, fmt.Sprintf("a frame for stream %d, which is not open", id))
	}
	return c.stream(id), nil
}

func (c *Conn) frame(f http2.Frame) error {
	if _, ok := f.(*http2.SettingsFrame); !ok && !c.settled {
		return connError(http2.ErrCodeProtocol, "the first frame is not SETTINGS")
	}
	if s := c.stream(f.Header().StreamID); s != nil {
		s.receivedFrames += frameHeader + int64(f.Header().Length)
	}
	switch f := f.(type) {
	case *http2.DataFrame:
		return c.dataFrame(f)
	case *http2.HeadersFrame:
		return c.headersFrame(f)
	case *http2.ContinuationFrame:
		return c.fragment(f.HeaderBlockFragment(), f.HeadersEnded())
	case *http2.WindowUpdateFrame:
		return c.windowUpdate(f)
	case *http2.SettingsFrame:
		return c.settingsFrame(f)
	case *http2.PingFrame:
		if !f.IsAck() {
			c.framer.WritePing(true, f.Data)
		}
	case *http2.RSTStreamFrame:
		return c.resetFrame(f)
	case *http2.GoAwayFrame:
		c.goAway(f)
	case *http2.PushPromiseFrame:
		return connError(http2.ErrCodeProtocol, "a push that we have refused")
	}
	return nil
}

func (c *Conn) dataFrame(f *http2.DataFrame) error {
	s, err := c.opened(f.StreamID)
	if err != nil {
		return err
	}
	n := int64(f.Length) // padding counts
	if c.recvWindow -= n; c.recvWindow < 0 {
		return connError(http2.ErrCodeFlowControl, "more data than the window of the connection")
	}
	if c.recvWindow < connWindow/2 {
		c.framer.WriteWindowUpdate(0, uint32(connWindow-c.recvWindow))
		c.recvWindow = connWindow
		c.urgent = true
	}
	if s == nil {
		return nil
	}
	if s.recvWindow -= n; s.recvWindow < 0 {
		return http2.StreamError{StreamID: s.id, Code: http2.ErrCodeFlowControl}
	}
	if err := s.data(f.Data()); err != nil {
		c.abandon(s, violation(err), http2.ErrCodeProtocol)
		return nil
	}
	if f.StreamEnded() {
		c.answered(s, s.complete())
		return nil
	}
	if s.recvWindow < streamWindow/2 {
		c.framer.WriteWindowUpdate(s.id, uint32(streamWindow-s.recvWindow))
		s.recvWindow = streamWindow
		c.urgent = true
	}
	return nil
}

// answered ends the exchange of a stream that the server has ended.
func (c *Conn) answered(s *stream, err error) {
	if err != nil {
		err = violation(err)
	}
	c.finish(s, err)
}

func (c *Conn) headersFrame(f *http2.HeadersFrame) error {
	s, err := c.opened(f.StreamID)
	if err != nil {
		return err
	}
	if s != nil && s.first == 0 {
		s.first = c.now
	}
	c.blockStream, c.blockEnd = f.StreamID, f.StreamEnded()
	c.block, c.blockCost = c.block[:0], 0
	if f.HeadersEnded() {
		return c.decode(f.HeaderBlockFragment())
	}
	return c.fragment(f.HeaderBlockFragment(), false)
}

// fragment collects a head in several frames.
func (c *Conn) fragment(p []byte, last bool) error {
	if c.blockCost += len(p) + fragmentCost; c.blockCost > maxHead {
		return connError(http2.ErrCodeEnhanceYourCalm, errHeadTooLarge.Error())
	}
	c.block = append(c.block, p...)
	if !last {
		return nil
	}
	return c.decode(c.block)
}

// decode reads a whole head.
func (c *Conn) decode(block []byte) error {
	s := c.stream(c.blockStream)
	c.target = s
	c.decoder.SetEmitEnabled(s != nil)
	_, err := c.decoder.Write(block)
	if err == nil {
		err = c.decoder.Close()
	}
	switch {
	case errors.Is(err, hpack.ErrStringLength):
		return connError(http2.ErrCodeEnhanceYourCalm, errHeadTooLarge.Error())
	case err != nil:
		return connError(http2.ErrCodeCompression, err.Error())
	case s == nil:
		return nil
	}
	ended, err := s.headDone(c.blockEnd)
	switch {
	case err == io.ErrUnexpectedEOF:
		c.finish(s, err)
	case err != nil:
		c.abandon(s, violation(err), http2.ErrCodeProtocol)
	case ended:
		c.answered(s, nil)
	}
	return nil
}

// resetFrame ends a stream as the server wishes.
func (c *Conn) resetFrame(f *http2.RSTStreamFrame) error {
	s, err := c.opened(f.StreamID)
	if s == nil || err != nil {
		return err
	}
	switch {
	case f.ErrCode == http2.ErrCodeRefusedStream:
		s.outcome = Refused
	case f.ErrCode == http2.ErrCodeProtocol && !s.final:
		s.outcome = Rejected
		c.retired = true
	}
	c.finish(s, resetError(f.ErrCode))
	return nil
}

// goAway keeps the streams that the server will still answer and fails the others.
// A server that ends its first exchange with an error would do so again.
func (c *Conn) goAway(f *http2.GoAwayFrame) {
	c.away, c.awayCode, c.retired = true, f.ErrCode, true
	for s := range c.running() {
		switch {
		case s.id == 0:
			s.outcome = Unusable
		case s.id <= f.LastStreamID:
			continue
		case f.ErrCode == http2.ErrCodeNo || c.served:
			s.outcome = Unprocessed
		}
		c.finish(s, goAwayError(f.ErrCode))
	}
}
