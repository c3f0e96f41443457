package k6html

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"github.com/dop251/goja"
	"golang.org/x/net/html"

	"github.com/jsload/jsload/modules/conv"
)

// Document is a text that is parsed as HTML once something of it is asked for.
type Document struct {
	docs *Documents
	text string
	base string
	root *goquery.Selection
	err  error
}

// New makes a document of a text. base is the absolute address that it came from,
// against which addresses in it are resolved; empty if there is none.
func (d *Documents) New(text, base string) *Document {
	return &Document{docs: d, text: text, base: base}
}

// Selection is the object that a script sees: what selector finds, or the document
// itself if selector is empty.
func (d *Document) Selection(selector string) goja.Value {
	if selector == "" {
		return d.object(&selection{doc: d})
	}
	return d.object(&selection{doc: d, found: d.find(selector)})
}

// find returns what a selector finds in the whole document. It throws if the
// document cannot be parsed.
func (d *Document) find(selector string) *goquery.Selection {
	root, err := d.parsed()
	if err != nil {
		conv.Throw(d.docs.rt, err)
	}
	return root.FindMatcher(d.docs.matcher(selector))
}

// parsed is the root of the document, parsed on first use.
func (d *Document) parsed() (*goquery.Selection, error) {
	if d.root != nil || d.err != nil {
		return d.root, d.err
	}
	d.root, d.err = parse(d.docs.host.Context(), d.text)
	if d.err != nil {
		d.err = fmt.Errorf("the document cannot be read: %w", d.err)
	}
	d.text = ""
	return d.root, d.err
}

func parse(ctx context.Context, text string) (*goquery.Selection, error) {
	if err := guard(text); err != nil {
		return nil, err
	}
	node, err := html.Parse(&interruptible{ctx: ctx, r: strings.NewReader(text)})
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromNode(node).Selection, nil
}

// interruptible ends the parsing of a text when the running function is to stop.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read reads on unless the context has ended.
func (i *interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, context.Cause(i.ctx)
	}
	return i.r.Read(p)
}

// resolve makes an address of the document absolute. What cannot be resolved
// stays as it is.
func (d *Document) resolve(ref string) string {
	base, err := url.Parse(d.base)
	if err != nil || d.base == "" {
		return ref
	}
	u, err := base.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// matcher tells which nodes a selector means.
type matcher = goquery.Matcher

// selectorLimit is how many compiled selectors a virtual user keeps.
const selectorLimit = 64

// matcher compiles a selector. One that is no selector matches nothing.
func (d *Documents) matcher(selector string) matcher {
	if m, ok := d.selectors[selector]; ok {
		return m
	}
	var m matcher = nothing{}
	if compiled, err := cascadia.Compile(selector); err == nil {
		m = compiled
	}
	if d.selectors == nil || len(d.selectors) >= selectorLimit {
		d.selectors = make(map[string]matcher)
	}
	d.selectors[selector] = m
	return m
}

// nothing is the matcher that no node fits.
type nothing struct{}

// Match is always false.
func (nothing) Match(*html.Node) bool { return false }

// MatchAll finds nothing.
func (nothing) MatchAll(*html.Node) []*html.Node { return nil }

// Filter keeps nothing.
func (nothing) Filter([]*html.Node) []*html.Node { return nil }

// Link returns the address that the first element found by selector points to,
// resolved.
func (d *Document) Link(selector string) (string, error) {
	found := d.find(selector)
	if found.Length() == 0 {
		return "", fmt.Errorf("no element matches the selector %q", selector)
	}
	href, ok := found.Attr("href")
	if !ok {
		return "", fmt.Errorf("the first element that matches the selector %q has no href", selector)
	}
	return d.resolve(href), nil
}

// errNoForm says that a selector finds no form.
var errNoForm = errors.New("no form matches the selector")
