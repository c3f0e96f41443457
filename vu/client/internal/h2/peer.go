package h2

import (
	"math"

	"golang.org/x/net/http2"
)

// peer is what the server allows us.
type peer struct {
	maxStreams int
	maxFrame   int
	maxHead    int64
	window     int64 // of new streams
	connWindow int64 // what may be sent now, over all streams
}

// newPeer is what holds until the server says otherwise. The number of streams is
// not limited by the protocol, but servers that limit it allow 100.
func newPeer() peer {
	return peer{maxStreams: 100, maxFrame: 16 << 10, maxHead: math.MaxInt64, window: 65535, connWindow: 65535}
}

const maxWindow = 1<<31 - 1

func (c *Conn) settingsFrame(f *http2.SettingsFrame) error {
	if f.IsAck() {
		if !c.settled {
			return connError(http2.ErrCodeProtocol, "the first frame is not SETTINGS")
		}
		return nil
	}
	if !c.settled {
		c.settled = true
		c.peer.maxStreams = math.MaxInt
	}
	if err := f.ForeachSetting(c.setting); err != nil {
		return err
	}
	return c.framer.WriteSettingsAck()
}

func (c *Conn) setting(s http2.Setting) error {
	if err := s.Valid(); err != nil {
		return err
	}
	switch s.ID {
	case http2.SettingHeaderTableSize:
		c.encoder.SetMaxDynamicTableSizeLimit(min(s.Val, tableSize))
		c.encoder.SetMaxDynamicTableSize(min(s.Val, tableSize))
		c.encodedValid = false
	case http2.SettingMaxConcurrentStreams:
		c.peer.maxStreams = int(s.Val)
	case http2.SettingMaxFrameSize:
		c.peer.maxFrame = int(s.Val)
	case http2.SettingMaxHeaderListSize:
		c.peer.maxHead = int64(s.Val)
	case http2.SettingInitialWindowSize:
		return c.initialWindow(int64(s.Val))
	}
	return nil
}

// initialWindow changes the windows of the open streams with that of new ones.
func (c *Conn) initialWindow(size int64) error {
	delta := size - c.peer.window
	c.peer.window = size
	for _, s := range c.streams {
		if s.sendWindow += delta; s.sendWindow > maxWindow {
			return connError(http2.ErrCodeFlowControl, "a window beyond its limit")
		}
	}
	return nil
}

func (c *Conn) windowUpdate(f *http2.WindowUpdateFrame) error {
	if f.StreamID == 0 {
		if c.peer.connWindow += int64(f.Increment); c.peer.connWindow > maxWindow {
			return connError(http2.ErrCodeFlowControl, "a window beyond its limit")
		}
		return nil
	}
	s, err := c.opened(f.StreamID)
	if s == nil || err != nil {
		return err
	}
	if s.sendWindow += int64(f.Increment); s.sendWindow > maxWindow {
		return http2.StreamError{StreamID: s.id, Code: http2.ErrCodeFlowControl}
	}
	return nil
}
