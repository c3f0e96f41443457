// Hot path: a request whose parts are constant allocates nothing.

package native

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/outcome"
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// site is a request of the plan: what is known of it before it runs. It is shared by
// all virtual users.
type site struct {
	index int // of the responses that a machine holds
	pos   plan.Pos
	slot  int
	fresh bool

	method            func(m *machine) string
	url, body, params func(m *machine) value.Value
	// fixedBody and fixedParams are those that are constant, made ready.
	fixedBody   *body
	fixedParams *params

	settings settings
}

// request emits two operations: one that makes the request ready, and one that takes
// the answer after the driver has made it.
func (c *compiler) request(s *plan.Step) {
	site := &site{index: c.out.sites, pos: s.Pos, slot: s.Slot, fresh: s.Fresh, settings: c.settings}
	c.out.sites++
	c.requestParts(site, s)
	behind := &target{}
	c.emit(func(m *machine) wait {
		if m.prepare(site) {
			return waitRequest
		}
		m.pc = behind.pc // it is refused
		return goOn
	})
	c.emit(func(m *machine) wait {
		r := m.response
		r.address = r.URL
		m.throwFailure(site)
		return goOn
	})
	c.bind(behind)
}

func (c *compiler) requestParts(site *site, s *plan.Step) {
	method := s.Name
	site.method = func(*machine) string { return method }
	if method == "" {
		site.method = c.expr(s.Args[3]).string()
	}
	url, content, given := c.expr(s.Args[0]), c.expr(s.Args[1]), c.expr(s.Args[2])
	site.url, site.body, site.params = url.value(), content.value(), given.value()
	if content.isFixed {
		b := newBody(content.fixed)
		site.fixedBody = &b
	}
	if given.isFixed {
		p := newParams(given.fixed, site.settings)
		site.fixedParams = &p
	}
}

// prepare makes the request of a site ready; false if it is refused for what the
// script gave.
func (m *machine) prepare(s *site) bool {
	m.at = s.pos
	m.respond(s)
	m.req = clientRequest{}
	m.req.Method = s.method(m)
	url := s.url(m)
	content, fixedBody := value.Undefined, s.fixedBody
	if fixedBody == nil {
		content = s.body(m)
	}
	given := s.fixedParams
	if given == nil {
		p := newParams(s.params(m), s.settings)
		given = &p
	}
	if fixedBody == nil {
		b := newBody(content)
		fixedBody = &b
	}
	err := m.fill(given, url, fixedBody)
	if err == nil {
		return true
	}
	m.refuse(s, given, err)
	return false
}

// respond finds the response that the site fills.
func (m *machine) respond(s *site) {
	held := m.held[m.program]
	if held[s.index] == nil || s.fresh {
		held[s.index] = &response{}
	}
	m.response = held[s.index]
	m.response.reset()
	if s.slot != plan.NoSlot {
		m.responses[s.slot] = m.response
	}
}

// fill takes over what the script gave, in the order that the script tier reads it.
func (m *machine) fill(p *params, url value.Value, b *body) error {
	r := &m.req
	r.Header, r.Cookies, r.Timeout, r.Redirects = p.header, p.cookies, p.timeout, p.redirects
	r.Auth, r.Compression, r.Protocol = p.auth, p.compression, p.protocol
	m.call = outcome.Call{Name: p.name, Tags: p.tags, Statuses: p.statuses}
	m.throws = p.throw
	if p.err != nil {
		return p.err
	}
	if !url.IsString() {
		return &proto.Error{Code: proto.CodeInvalidURL, Text: fmt.Sprintf("invalid URL: %s is neither a string nor made by http.url", value.ToString(url))}
	}
	r.URL = value.WellFormed(url.Text())
	if b.err != nil {
		return b.err
	}
	r.Body, r.Chunked = b.bytes, b.chunked
	for _, field := range b.emptied {
		m.factory.cfg.Log.Warn(fmt.Sprintf("the form field %q is an object and was sent empty: only texts, numbers and booleans can be sent", field))
	}
	if b.form {
		r.Header = withType(r.Header, formType)
	}
	r.Discard = p.none
	m.response.none = p.none
	m.warnLength()
	return nil
}

// warnLength tells a script whose Content-Length is wrong that it is not sent.
func (m *machine) warnLength() {
	for _, f := range m.req.Header {
		if strings.EqualFold(f.Name, "Content-Length") && f.Value != strconv.Itoa(len(m.req.Body)) {
			m.factory.cfg.Log.Warn(fmt.Sprintf("the header Content-Length: %s is not sent: the body has %d bytes", f.Value, len(m.req.Body)))
		}
	}
}

// refuse is what a request gives whose arguments are wrong: an exception if the script
// wants one, else a warning and a response with status 0.
func (m *machine) refuse(s *site, p *params, err error) {
	if p.throw {
		raise(s.pos, err)
	}
	r := m.response
	r.Response.Exchange = proto.Exchange{}
	r.Header, r.Body = r.Header[:0], nil
	r.refused, r.address = err, m.req.URL
	outcome.Warn(m.factory.cfg.Log, err)
}

// throwFailure raises what the script gets for an answer as an exception: an error if
// it wants that, a switch of protocols always.
func (m *machine) throwFailure(s *site) {
	switch r := m.response; {
	case r.Err == nil && r.Status == 101:
		raise(s.pos, outcome.ErrSwitch)
	case r.Err != nil && m.throws:
		raise(s.pos, outcome.Failure(&m.req, &r.Response))
	}
}
