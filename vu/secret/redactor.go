package secret

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Redacted stands in the place of a secret.
const Redacted = "***SECRET_REDACTED***"

// Redactor replaces the secrets that it knows in texts. The zero value knows none.
// It is safe for concurrent use, and a nil Redactor leaves every text as it is.
//
// A secret is also found in the forms that it takes in JSON and in addresses.
type Redactor struct {
	// current is nil while nothing is known, and stale after Add until Redact
	// builds it anew: many secrets may come one after the other.
	current atomic.Pointer[index]
	stale   atomic.Bool

	mu    sync.Mutex
	forms map[string]struct{}
}

// Add makes secrets known. Empty ones are ignored.
func (r *Redactor) Add(secrets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.forms == nil {
		r.forms = make(map[string]struct{})
	}
	before := len(r.forms)
	for _, s := range secrets {
		for _, form := range forms(s) {
			r.forms[form] = struct{}{}
		}
	}
	if len(r.forms) > before {
		r.stale.Store(true)
	}
}

// forms are the ways in which a secret may stand in a text.
func forms(s string) []string {
	if s == "" {
		return nil
	}
	all := []string{s, url.QueryEscape(s), url.PathEscape(s), percentEncode(s)}
	if trimmed := strings.TrimSpace(s); trimmed != "" && trimmed != s {
		all = append(all, trimmed) // what scripts make of the last line of a file
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) == nil {
		quoted := strings.TrimSuffix(text.String(), "\n")
		all = append(all, quoted[1:len(quoted)-1])
	}
	return all
}

// percentEncode is what encodeURIComponent gives.
func percentEncode(s string) string {
	return strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(url.QueryEscape(s))
}

// Redact returns the text without the secrets in it. It returns texts without
// secrets unchanged, and allocates nothing for them.
func (r *Redactor) Redact(text string) string {
	if r == nil {
		return text
	}
	if r.stale.Load() {
		r.build()
	}
	if all := r.current.Load(); all != nil {
		return all.redact(text)
	}
	return text
}

// build makes the index of what is known.
func (r *Redactor) build() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.stale.Load() {
		return // another caller did it
	}
	all := &index{}
	for form := range r.forms {
		all[form[0]] = append(all[form[0]], form)
	}
	for _, forms := range all {
		slices.SortFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	}
	r.current.Store(all)
	r.stale.Store(false)
}

// index holds what to look for by its first byte, the longest first.
type index [256][]string

// redact replaces every stretch of text that secrets cover, overlapping ones
// together.
func (x *index) redact(text string) string {
	from, end := x.next(text, 0)
	if from == end {
		return text
	}
	var b strings.Builder
	done := 0
	for from < end {
		b.WriteString(text[done:from])
		b.WriteString(Redacted)
		done = end
		from, end = x.next(text, end)
	}
	b.WriteString(text[done:])
	return b.String()
}

// next finds the next stretch from a position on; it is empty if there is none.
func (x *index) next(text string, i int) (from, end int) {
	for ; i < len(text); i++ {
		if n := x.match(text[i:]); n > 0 {
			return i, x.extend(text, i, i+n)
		}
	}
	return 0, 0
}

// extend moves the end of a stretch over the secrets that begin inside of it.
func (x *index) extend(text string, from, end int) int {
	for i := from + 1; i < end; i++ {
		end = max(end, i+x.match(text[i:]))
	}
	return end
}

// match returns the length of the longest secret that text begins with.
func (x *index) match(text string) int {
	for _, form := range x[text[0]] {
		if strings.HasPrefix(text, form) {
			return len(form)
		}
	}
	return 0
}
