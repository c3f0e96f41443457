// Hot path: allocates nothing.

package client

import (
	"fmt"
	"net/textproto"
	"slices"

	"golang.org/x/net/http/httpguts"

	"github.com/jsload/jsload/vu/client/proto"
)

// fieldset is a request's header checked and converted. A Call keeps the last one
// and uses it again for a header that says the same, which most do: checking five
// fields cost a twentieth of an exchange, comparing them next to nothing.
// (Keeping the rendered head as well does not pay: rendering costs no more than
// finding out that nothing has changed.)
type fieldset struct {
	raw  []proto.Field // as the script wrote it; empty if there is nothing to use again
	size int           // bytes of raw
	// fields are in canonical form, without those that have members of their own.
	fields  []proto.Field
	agent   string
	host    string // the script's own Host header, empty if none
	hand    string // its own Cookie header
	ownAuth bool   // it set Authorization
}

// maxKeptHeader bounds what a Call keeps of a request's header.
const maxKeptHeader = 4 << 10

// set takes a header. agent is the User-Agent it may replace.
func (s *fieldset) set(header []proto.Field, agent string) error {
	if len(header) > 0 && slices.Equal(s.raw, header) {
		return nil
	}
	s.reset()
	s.agent = agent
	for _, f := range header {
		if err := s.add(f); err != nil {
			s.reset()
			return err
		}
		s.size += len(f.Name) + len(f.Value)
	}
	s.raw = append(s.raw, header...)
	return nil
}

// reset forgets the header but keeps the buffers.
func (s *fieldset) reset() {
	clear(s.raw)
	clear(s.fields)
	*s = fieldset{raw: s.raw[:0], fields: s.fields[:0]}
}

// rest forgets a header that is too large to keep.
func (s *fieldset) rest() {
	if s.size > maxKeptHeader || len(s.raw) == 0 {
		s.reset()
	}
}

// add takes one header field of the script.
func (s *fieldset) add(f proto.Field) error {
	if !httpguts.ValidHeaderFieldName(f.Name) {
		return fmt.Errorf("net/http: invalid header field name %q", f.Name)
	}
	if !httpguts.ValidHeaderFieldValue(f.Value) {
		return fmt.Errorf("net/http: invalid header field value for %q", f.Name)
	}
	f.Name = textproto.CanonicalMIMEHeaderKey(f.Name)
	f.Value = textproto.TrimString(f.Value)
	switch f.Name {
	case "Host":
		host, err := headerHost(f.Value)
		s.host = host
		return err
	case "User-Agent":
		s.agent = f.Value
		return nil
	case "Cookie":
		s.hand = f.Value
		return nil
	case "Content-Length", "Transfer-Encoding", "Trailer":
		return nil
	case "Authorization":
		s.ownAuth = true
	}
	for i := range s.fields {
		if s.fields[i].Name == f.Name {
			s.fields[i] = f
			return nil
		}
	}
	s.fields = append(s.fields, f)
	return nil
}
