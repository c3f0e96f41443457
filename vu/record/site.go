// Hot path: finding an outcome that is known allocates nothing.

package record

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
)

// siteMemory is how many different outcomes a site remembers: a call site has a
// success or two and some failures, times the groups and scenarios it runs in.
const siteMemory = 8

// Site remembers what the requests of one place of a script have in common, so
// that a steady request finds its tags by comparing, not by making them. The zero
// value is ready. It is shared by all virtual users; safe for concurrent use.
type Site struct {
	// known is replaced, never changed.
	known atomic.Pointer[[]siteEntry]
	// next is the place that the next new outcome takes once memory is full.
	next atomic.Uint32
}

// siteEntry is one outcome with all that it was made from.
type siteEntry struct {
	base         metrics.TagSet
	method, url  string
	name         string
	status, code int
	text         string
	proto, tls   string
	ip           string
	expected     Expectation
	tags         []metrics.Tag
	// named is true if a name tag stands for the URL, which then may be any.
	named   bool
	outcome *metrics.Outcome
}

// outcome returns what the records of such requests share, made if it is new.
func (s *Site) outcome(v *VU, x *proto.Exchange, q *Request) *metrics.Outcome {
	ip := ""
	if v.recorder.system.Has(metrics.TagIP) {
		ip = x.RemoteIP
	}
	known := s.known.Load()
	if known != nil {
		for i := range *known {
			if e := &(*known)[i]; e.fits(v.base, x, q, ip) {
				return e.outcome
			}
		}
	}
	return s.learn(known, v, x, q, ip)
}

// fits tells whether the entry was made from the same input. What differs most
// often is compared first.
func (e *siteEntry) fits(base metrics.TagSet, x *proto.Exchange, q *Request, ip string) bool {
	return e.base == base && e.status == x.Status && (e.named || e.url == q.url(x)) && e.name == q.Name &&
		e.method == x.Method && e.expected == q.Expected && e.code == x.ErrorCode() && e.text == errorText(x) &&
		e.proto == x.Proto && e.tls == x.TLSVersion && e.ip == ip && slices.Equal(e.tags, q.Tags)
}

func errorText(x *proto.Exchange) string {
	if x.Err == nil {
		return ""
	}
	return x.Err.KindText()
}

// learn makes an outcome and remembers it. When two VUs learn at once one of them
// is forgotten and learned again later.
func (s *Site) learn(known *[]siteEntry, v *VU, x *proto.Exchange, q *Request, ip string) *metrics.Outcome {
	_, named := v.name(q)
	e := siteEntry{
		named: named, base: v.base, method: x.Method, url: q.url(x), name: q.Name, status: x.Status,
		code: x.ErrorCode(), text: errorText(x), proto: x.Proto, tls: x.TLSVersion, ip: ip,
		expected: q.Expected, tags: slices.Clone(q.Tags), outcome: v.newOutcome(x, q),
	}
	var entries []siteEntry
	if known != nil {
		entries = *known
	}
	if len(entries) < siteMemory {
		entries = append(slices.Clip(entries), e)
	} else {
		entries = slices.Clone(entries)
		entries[s.next.Add(1)%siteMemory] = e
	}
	s.known.CompareAndSwap(known, &entries)
	return e.outcome
}

const (
	siteStripes = 16
	// siteLimit is how many sites one stripe holds before it starts over.
	siteLimit = 64
)

// sites finds a site by name or URL for callers that have none of their own. It
// forgets all of a stripe when that is full, so unique URLs do not grow it.
type sites struct {
	parts [siteStripes]struct {
		mu    sync.Mutex
		byKey map[string]*Site
	}
}

func (t *sites) find(v *VU, x *proto.Exchange, q *Request) *Site {
	key, named := v.name(q)
	if !named {
		key = q.url(x)
	}
	p := &t.parts[spread(key)%siteStripes]
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.byKey[key]; s != nil {
		return s
	}
	if p.byKey == nil || len(p.byKey) >= siteLimit {
		p.byKey = make(map[string]*Site)
	}
	s := new(Site)
	p.byKey[key] = s
	return s
}

// spread hashes the end of a key: URLs differ there.
func spread(key string) uint32 {
	h := uint32(len(key))
	for i := max(0, len(key)-8); i < len(key); i++ {
		h = h*31 + uint32(key[i])
	}
	return h
}
