// Hot path: a request whose site has seen its like allocates nothing.

package record

import (
	"strconv"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
)

// Expectation is what a script's response callback said of a response.
type Expectation uint8

// The answers. Unjudged requests, those without a callback, make no sample of
// http_req_failed and carry no expected_response tag.
const (
	Unjudged Expectation = iota
	Expected
	Unexpected
)

// Request is what is known of a request beside its exchange.
type Request struct {
	// Name is the value of its name tag, which also takes the place of url. Empty
	// means that the base tags or else the URL decide.
	Name string
	// URL is the address to show in tags, credentials masked, if it differs from
	// the exchange's: as the script wrote it, fragment included.
	URL string
	// Tags are the script's further tags; a name among them counts like Name. The
	// slice is not kept.
	Tags []metrics.Tag
	// Expected is the verdict of the response callback.
	Expected Expectation
}

// HTTP records one exchange: each hop of a chain of redirects is one. site is the
// place of the call, or nil to let the recorder find one by name or URL.
func (v *VU) HTTP(site *Site, x *proto.Exchange, q *Request) {
	if site == nil {
		site = v.recorder.sites.find(v, x, q)
	}
	t := &x.Timings
	o := site.outcome(v, x, q)
	if v.recorder.corrected != nil && v.late < 0 && v.stage == "" {
		v.correct(t, o.Tags)
	}
	v.shard.Request(t.End, o, &metrics.Phases{
		Blocked: t.Blocked, Connecting: t.Connecting, TLSHandshaking: t.TLSHandshaking,
		Sending: t.Sending, Waiting: t.Waiting, Receiving: t.Receiving, Late: v.late,
	}, v.meta)
}

// correct records the duration of a request, and for each further request that was
// due while it was under way the rest of the wait.
func (v *VU) correct(t *proto.Timings, tags metrics.TagSet) {
	r := v.recorder
	for rest := t.Sending + t.Waiting + t.Receiving; rest > 0; rest -= r.expected {
		v.Sample(t.End, r.corrected, float64(rest)/1e6, tags)
	}
}

// url returns the address that tags show.
func (q *Request) url(x *proto.Exchange) string {
	if q.URL != "" {
		return q.URL
	}
	return x.URL
}

// newOutcome makes what the records of such requests share.
func (v *VU) newOutcome(x *proto.Exchange, q *Request) *metrics.Outcome {
	var room [24]metrics.Tag
	tags := append(room[:0], q.Tags...)
	if q.Name != "" {
		tags = append(tags, metrics.Tag{Key: "name", Value: q.Name})
	}
	url := q.url(x)
	name, named := v.name(q)
	if named {
		url = name
	} else {
		name = url
	}
	o := &metrics.Outcome{
		Judged: q.Expected != Unjudged, Failed: failed(x, q.Expected),
		Name: v.recorder.hidden(name), Status: x.Status, Code: x.ErrorCode(),
	}
	cause := ""
	if x.Err != nil {
		cause = v.recorder.causes.text(x.Err)
		o.Text = v.recorder.hidden(cause)
		if cause != x.Err.Text {
			o.Example = v.recorder.hidden(x.Err.Text)
		}
	}
	o.Tags = v.base.Extend(v.recorder.requestTags(tags, x, q.Expected, name, url, cause)...)
	return o
}

// name returns the name tag of a request, if it has one: its own, one among its
// tags, or the VU's.
func (v *VU) name(q *Request) (string, bool) {
	if q.Name != "" {
		return q.Name, true
	}
	for i := len(q.Tags) - 1; i >= 0; i-- {
		if q.Tags[i].Key == "name" {
			return q.Tags[i].Value, true
		}
	}
	return v.base.Get("name")
}

// failed tells whether a request counts as failed in the tables. Without a verdict
// the status decides.
func failed(x *proto.Exchange, e Expectation) bool {
	if e == Unjudged {
		return x.Err != nil || x.Status >= 400
	}
	return e == Unexpected
}

// requestTags appends the system tags of a request. cause is what they show of its
// error.
func (r *Recorder) requestTags(tags []metrics.Tag, x *proto.Exchange, e Expectation, name, url, cause string) []metrics.Tag {
	add := func(tag metrics.SystemTags, key, value string) {
		if r.system.Has(tag) && value != "" {
			tags = append(tags, metrics.Tag{Key: key, Value: value})
		}
	}
	add(metrics.TagMethod, "method", x.Method)
	add(metrics.TagStatus, "status", strconv.Itoa(x.Status))
	add(metrics.TagURL, "url", url)
	add(metrics.TagName, "name", name)
	if e != Unjudged {
		add(metrics.TagExpectedResponse, "expected_response", strconv.FormatBool(e == Expected))
	}
	add(metrics.TagTLSVersion, "tls_version", x.TLSVersion)
	add(metrics.TagIP, "ip", x.RemoteIP)
	if x.Err == nil {
		add(metrics.TagProto, "proto", x.Proto)
	} else {
		add(metrics.TagError, "error", cause)
	}
	if code := x.ErrorCode(); code != 0 {
		add(metrics.TagErrorCode, "error_code", strconv.Itoa(code))
	}
	return tags
}
