package wsession

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/vu/client/ws"
	"github.com/jsload/jsload/vu/record"
)

// Session records what one connection does. It belongs to the goroutine of the
// virtual user.
type Session struct {
	host  *modules.Host
	start int64
	tags  metrics.TagSet
	// pings are the payloads of pings without an answer yet, with their instants.
	pings map[string]int64
	sent  uint64 // pings so far
}

// Begin starts the clock of a session, before the connection is dialed. What its
// samples carry follows from the tags that the virtual user has now.
func Begin(h *modules.Host) *Session {
	return &Session{host: h, start: h.Run.Epoch.Now(), tags: h.VU.Record.Tags()}
}

// Connected records the attempt to connect, which ended at the instant at (from
// the run's epoch); answer is nil if the server gave none. named puts a name tag
// on the samples even if the script gave none.
func (s *Session) Connected(at int64, url string, p *Params, answer *ws.Answer, named bool) {
	status, subprotocol, ip := 0, "", ""
	if answer != nil {
		status, ip = answer.Status, answer.RemoteIP
		subprotocol = answer.Header.Get("Sec-Websocket-Protocol")
	}
	shown := masked(url)
	name := p.Name
	if name == "" {
		name, _ = s.tags.Get("name")
	}
	system := []record.SystemTag{
		{Tag: metrics.TagStatus, Value: strconv.Itoa(status)},
		{Tag: metrics.TagSubproto, Value: subprotocol},
	}
	if ip != "" {
		system = append(system, record.SystemTag{Tag: metrics.TagIP, Value: ip})
	}
	switch {
	case name != "":
		shown = name
	case named:
		name = shown
	}
	system = append(system, record.SystemTag{Tag: metrics.TagURL, Value: shown})
	if name != "" {
		system = append(system, record.SystemTag{Tag: metrics.TagName, Value: name})
	}
	s.tags = s.tags.Extend(p.Tags...).Extend(s.host.VU.Record.System(system...)...)
	builtin := s.host.Run.Builtin
	s.sample(at, builtin.WSSessions, 1)
	s.sample(at, builtin.WSConnecting, float64(at-s.start)/1e6)
}

// masked is an address as tags and logs show it.
func masked(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil && u.Fragment == "" {
		return raw
	}
	secret := u.User != nil
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	text := u.String()
	if secret {
		text = strings.Replace(text, "//", "//****:****@", 1)
	}
	return text
}

// Sent records a message that was sent.
func (s *Session) Sent() { s.sample(s.now(), s.host.Run.Builtin.WSMsgsSent, 1) }

// Received records a message that was received.
func (s *Session) Received() { s.sample(s.now(), s.host.Run.Builtin.WSMsgsReceived, 1) }

// maxPings is how many unanswered pings a session remembers.
const maxPings = 1024

// Ping returns the payload of the next ping, by which its answer will be known.
func (s *Session) Ping() []byte {
	s.sent++
	payload := strconv.FormatUint(s.sent, 10)
	if s.pings == nil || len(s.pings) >= maxPings {
		s.pings = make(map[string]int64)
	}
	s.pings[payload] = s.now()
	return []byte(payload)
}

// Pong records the time since the ping of this payload, if there was one.
func (s *Session) Pong(payload []byte) {
	at, ok := s.pings[string(payload)]
	if !ok {
		return
	}
	delete(s.pings, string(payload))
	now := s.now()
	s.sample(now, s.host.Run.Builtin.WSPing, float64(now-at)/1e6)
}

// End records how long the session was.
func (s *Session) End() {
	now := s.now()
	s.sample(now, s.host.Run.Builtin.WSSessionDuration, float64(now-s.start)/1e6)
}

func (s *Session) now() int64 { return s.host.Run.Epoch.Now() }

func (s *Session) sample(at int64, m *metrics.Metric, value float64) {
	s.host.VU.Record.Sample(at, m, value, s.tags)
}
