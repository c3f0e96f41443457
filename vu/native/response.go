package native

import (
	"errors"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/value"
)

// response is what came of a request. A site that runs once per iteration uses its
// response again, buffers included: nothing that outlives the iteration may refer to
// them.
type response struct {
	client.Response
	// address is what scripts see as url.
	address string
	// none tells that the body was not asked for.
	none bool
	// refused is why the request was never made.
	refused error

	text    value.Value // the body, once it was asked for as a value
	hasText bool
	whole   value.Value // the body as JSON, once it was asked for
	parsed  bool
}

// reset makes the response ready for another request.
func (r *response) reset() {
	r.address, r.none, r.refused = "", false, nil
	r.text, r.hasText, r.whole, r.parsed = value.Undefined, false, value.Undefined, false
}

func (r *response) errorText() string {
	switch {
	case r.refused != nil:
		return value.Clean(r.refused.Error())
	case r.Err != nil:
		return value.Clean(r.Err.Text)
	}
	return ""
}

func (r *response) errorCode() float64 {
	if r.refused != nil {
		if e, ok := errors.AsType[*proto.Error](r.refused); ok {
			return float64(e.Code)
		}
		return 0
	}
	return float64(r.ErrorCode())
}

// phase is a phase in milliseconds, in the order of plan.Timings.
func (r *response) phase(i int) float64 {
	t := &r.Timings
	var ns int64
	switch i {
	case 0:
		ns = t.Duration()
	case 1:
		ns = t.Blocked
	case 3:
		ns = t.Connecting
	case 4:
		ns = t.TLSHandshaking
	case 5:
		ns = t.Sending
	case 6:
		ns = t.Waiting
	case 7:
		ns = t.Receiving
	}
	return float64(ns) / 1e6
}

// headerField joins the fields of a name, which is in canonical form.
func (r *response) headerField(name string) value.Value {
	first, ok := r.Header.Find(name)
	if !ok {
		return value.Undefined
	}
	if all := r.Header.Values(name); len(all) > 1 {
		return value.Str(value.Clean(strings.Join(all, ", ")))
	}
	return value.Str(value.Clean(string(first)))
}

// hasBody tells whether there is a body to read.
func (r *response) hasBody() bool { return !r.none && r.Body != nil }

// bodyText is the body as a value that may be kept.
func (r *response) bodyText() value.Value {
	if !r.hasText {
		r.text, r.hasText = value.Null, true
		if r.hasBody() {
			r.text = value.Str(value.Clean(string(r.Body)))
		}
	}
	return r.text
}

// view is the body as text in its buffer, for looking at it at once. ok is false
// if there is none or it must be changed to be text.
func (r *response) view() (_ string, ok bool) {
	if !r.hasBody() || !utf8.Valid(r.Body) {
		return "", false
	}
	return unsafe.String(unsafe.SliceData(r.Body), len(r.Body)), true
}
