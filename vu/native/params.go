package native

import (
	"errors"
	"fmt"
	"math"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/outcome"
	"github.com/jsload/jsload/vu/value"
)

// clientRequest is the client's request, which has no word of its own here.
type clientRequest = client.Request

// params is what the params of a call say. err is what is wrong with them; what stands
// before it counts.
type params struct {
	header      []proto.Field
	cookies     []client.Cookie
	name        string
	tags        []metrics.Tag
	timeout     time.Duration
	redirects   int
	auth        client.Auth
	compression []client.Encoding
	protocol    proto.Protocol
	none        bool
	throw       bool
	statuses    *outcome.Statuses
	err         error
}

// defaultStatuses is what counts as expected unless a script says otherwise.
var defaultStatuses = outcome.Default()

// newParams reads the params of a call.
func newParams(v value.Value, s settings) params {
	p := params{none: s.discard, throw: s.throw, statuses: defaultStatuses}
	if v.IsNullish() {
		return p
	}
	for name, member := range members(v) {
		if p.err = p.read(name, member); p.err != nil {
			break
		}
	}
	return p
}

// members yields the properties of a value as for-in finds own ones.
func members(v value.Value) func(yield func(string, value.Value) bool) {
	return func(yield func(string, value.Value) bool) {
		if v.IsString() {
			for i := range value.Length(v.Text()) {
				if !yield(strconv.Itoa(i), value.StringIndex(v.Text(), i)) {
					return
				}
			}
		}
		o := v.Object()
		if o == nil {
			return
		}
		for _, name := range o.Keys() {
			member, _ := o.Own(name)
			if !yield(name, member) {
				return
			}
		}
	}
}

func (p *params) read(name string, v value.Value) (err error) {
	switch {
	case v.IsUndefined():
		return nil
	case name == "responseCallback":
		if !v.IsNull() {
			return errors.New("unsupported responseCallback: give http.expectedStatuses(...) or null")
		}
		p.statuses = nil
		return nil
	case name == "timeout":
		p.timeout, err = timeout(v)
		return err
	case v.IsNull():
		return nil
	}
	switch name {
	case "headers":
		p.header = make([]proto.Field, 0, 8)
		for k, h := range members(v) {
			p.header = append(p.header, proto.Field{Name: value.WellFormed(k), Value: text(h)})
		}
	case "cookies":
		for k, c := range members(v) {
			p.cookies = append(p.cookies, cookie(value.WellFormed(k), c))
		}
	case "tags":
		return p.readTags(v)
	case "jar":
		return fmt.Errorf("invalid jar: %s is no CookieJar", text(v))
	case "redirects":
		p.readRedirects(v)
	case "auth":
		p.auth = authOf(text(v))
	case "compression":
		p.compression, err = client.ParseEncodings(text(v))
	case "responseType":
		err = p.readType(text(v))
	case "throw":
		p.throw = value.Truthy(v)
	case "protocol":
		p.protocol, err = proto.ParseProtocol(text(v))
	}
	return err
}

// text is a value as it leaves the script.
func text(v value.Value) string { return value.WellFormed(value.ToString(v)) }

func timeout(v value.Value) (time.Duration, error) {
	switch {
	case v.IsString():
		d, err := options.ParseDuration(text(v))
		if err != nil {
			return 0, fmt.Errorf("invalid timeout value: %w", err)
		}
		return d.Std(), nil
	case v.IsNumber():
		return time.Duration(v.Float() * float64(time.Millisecond)), nil
	}
	return 0, fmt.Errorf("invalid timeout value: %s is neither a number of milliseconds nor a string such as '5s'", text(v))
}

func cookie(name string, v value.Value) client.Cookie {
	c := client.Cookie{Name: name}
	if o := v.Object(); o != nil {
		if content, ok := o.Own("value"); ok {
			c.Value = text(content)
		}
		if replace, ok := o.Own("replace"); ok {
			c.Replace = value.Truthy(replace)
		}
	} else if !v.IsNullish() {
		c.Value = text(v)
	}
	return c
}

var errTagValue = errors.New("only String, Boolean and Number types are accepted as a value")

func (p *params) readTags(v value.Value) error {
	tags, err := readTags(v)
	for _, t := range tags {
		if t.Key == "name" {
			p.name = t.Value
			continue
		}
		p.tags = append(p.tags, t)
	}
	return err
}

// readTags reads an object of tags.
func readTags(v value.Value) (tags []metrics.Tag, err error) {
	for name, t := range members(v) {
		if t.IsNullish() || t.IsObject() {
			return nil, fmt.Errorf("tag %q: %w", value.WellFormed(name), errTagValue)
		}
		tags = append(tags, metrics.Tag{Key: value.WellFormed(name), Value: text(t)})
	}
	return tags, nil
}

func (p *params) readRedirects(v value.Value) {
	n := value.ToNumber(v)
	switch {
	case n != n || math.Abs(n) < 1:
		p.redirects = -1
	case n > 0:
		p.redirects = int(min(n, math.MaxInt32))
	}
}

func authOf(name string) client.Auth {
	switch name {
	case "digest":
		return client.Digest
	case "ntlm":
		return client.NTLM
	}
	return client.Basic
}

func (p *params) readType(name string) error {
	switch name {
	case "text", "":
		p.none = false
	case "none":
		p.none = true
	default:
		return fmt.Errorf("invalid responseType %q: use text, binary or none", name)
	}
	return nil
}

// body is the body of a request.
type body struct {
	bytes   []byte
	chunked bool
	form    bool
	// emptied are the fields of a form whose values cannot be sent.
	emptied []string
	err     error
}

var errUnknownBody = errors.New("unknown request body type: give a string, an ArrayBuffer, a Uint8Array or an object of form fields")

const formType = "application/x-www-form-urlencoded"

// newBody reads a body: text as it is, an object as a form.
func newBody(v value.Value) (b body) {
	switch {
	case v.IsNullish():
	case v.IsString():
		b.bytes = []byte(text(v))
	case v.Kind() == value.KindObject:
		b.form = true
		b.bytes = []byte(b.fields(v).Encode())
		b.chunked = len(b.bytes) == 0
	default:
		b.err = errUnknownBody
	}
	return b
}

// fields are those of a form. Arrays make a field of each item.
func (b *body) fields(v value.Value) url.Values {
	form := url.Values{}
	for name, member := range members(v) {
		name = value.WellFormed(name)
		if member.Kind() == value.KindArray {
			for _, item := range member.Items() {
				form.Add(name, b.field(name, item))
			}
			continue
		}
		form.Add(name, b.field(name, member))
	}
	return form
}

// field is the text of one value of a form. Numbers are written as Go does.
func (b *body) field(name string, v value.Value) string {
	switch {
	case v.IsNullish() || v.IsHole():
		return ""
	case v.IsObject():
		b.emptied = append(b.emptied, name)
		return ""
	case v.IsNumber():
		if f := v.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 && (f != 0 || !math.Signbit(f)) {
			return strconv.FormatInt(int64(f), 10)
		}
		return fmt.Sprint(v.Float())
	}
	return text(v)
}

// withType adds the Content-Type unless the script set one. Header is not changed.
func withType(header []proto.Field, value string) []proto.Field {
	for _, f := range header {
		if textproto.CanonicalMIMEHeaderKey(f.Name) == "Content-Type" {
			return header
		}
	}
	return append(slices.Clip(header), proto.Field{Name: "Content-Type", Value: value})
}
