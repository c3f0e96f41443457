package k6http

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/client/proto"
)

// batch is http.batch: requests side by side, as many at once as the options
// batch and batchPerHost allow. The result has the shape of the argument, up to
// the first request that cannot be read.
func (i *instance) batch(c goja.FunctionCall) goja.Value {
	i.host.NotInInit("making http requests")
	list, ok := c.Argument(0).(*goja.Object)
	if !ok {
		conv.Throwf(i.rt, "http.batch needs an array or an object of requests")
	}
	keys := list.Keys()
	all := make([]*exchange, 0, len(keys))
	for _, k := range keys {
		r := i.newExchange()
		if err := i.parseEntry(r, list.Get(k)); err != nil {
			if r.throw {
				conv.Throw(i.rt, err)
			}
			i.warnFailed(err)
			r.paramErr = err
		}
		all = append(all, r)
		if r.paramErr != nil {
			break // what stands behind a request that cannot be read is not sent
		}
	}
	late := i.doAll(all)
	failed := i.recordAll(all)
	if late != nil {
		failed = late
	}
	if failed != nil {
		conv.Throw(i.rt, failed)
	}
	return i.batchResult(list, keys, all)
}

// recordAll makes the samples, in the order of the argument, and returns the
// first error that is to be thrown.
func (i *instance) recordAll(all []*exchange) error {
	var failed error
	for _, r := range all {
		if r.paramErr != nil {
			continue
		}
		i.record(r)
		if err := r.thrown(); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

func (i *instance) batchResult(list *goja.Object, keys []string, all []*exchange) goja.Value {
	if list.ClassName() == "Array" {
		items := make([]any, len(all))
		for n, r := range all {
			items[n] = i.object(r)
		}
		return i.rt.NewArray(items...)
	}
	o := i.rt.NewObject()
	for n, r := range all {
		_ = o.Set(keys[n], i.object(r))
	}
	return o
}

// doAll performs the requests that could be read and waits for all of them. It
// stops early, with an error, when the test ends before the turn of one.
func (i *instance) doAll(all []*exchange) (late error) {
	total, perHost := 20, 6
	if o := i.host.Run.Options; o != nil {
		total, perHost = int(o.Batch.Or(20)), int(o.BatchPerHost.Or(6))
	}
	limits := limiter{total: semaphore(total), perHost: perHost, hosts: map[string]chan struct{}{}}
	client := i.host.VU.Client
	for _, r := range all {
		if r.paramErr == nil {
			client.HoldCookies(&r.req)
		}
	}
	var wg sync.WaitGroup
	for _, r := range all {
		if r.paramErr != nil {
			continue
		}
		if late == nil {
			late = i.throttle()
		}
		if late != nil {
			r.paramErr = late
			continue
		}
		host := limits.host(r.host)
		wg.Go(func() {
			// The host comes first, so that a slow one does not hold the others up.
			defer acquire(host)()
			defer acquire(limits.total)()
			client.Do(&r.req, &r.resp)
		})
	}
	wg.Wait()
	return late
}

// limiter bounds the requests of a batch that run at once.
type limiter struct {
	total   chan struct{}
	perHost int
	hosts   map[string]chan struct{}
}

func (l *limiter) host(name string) chan struct{} {
	if _, ok := l.hosts[name]; !ok {
		l.hosts[name] = semaphore(l.perHost)
	}
	return l.hosts[name]
}

// semaphore admits n at once; nil, for n of zero or less, admits all.
func semaphore(n int) chan struct{} {
	if n <= 0 {
		return nil
	}
	return make(chan struct{}, n)
}

func acquire(s chan struct{}) (release func()) {
	if s == nil {
		return func() {}
	}
	s <- struct{}{}
	return func() { <-s }
}

// parseEntry reads one request of a batch, its address included.
func (i *instance) parseEntry(r *exchange, v goja.Value) error {
	if err := i.parseForm(r, v); err != nil {
		return err
	}
	u, err := url.Parse(r.req.URL)
	if err != nil {
		return &proto.Error{Code: proto.CodeInvalidURL, Text: "invalid URL: " + err.Error(), Cause: err}
	}
	r.host = u.Host
	return nil
}

// parseForm reads an entry in any of its forms: an address, an array of
// arguments, or an object.
func (i *instance) parseForm(r *exchange, v goja.Value) error {
	o, ok := v.(*goja.Object)
	if !ok {
		return i.parse(r, "GET", v, nil, nil)
	}
	if _, tagged := o.Export().(*taggedURL); tagged {
		return i.parse(r, "GET", v, nil, nil)
	}
	if o.ClassName() == "Array" {
		n := int(o.Get("length").ToInteger())
		if n < 2 {
			return fmt.Errorf("a request of http.batch given as an array needs a method and a URL, this one has %d elements", n)
		}
		return i.parse(r, element(o, 0).String(), element(o, 1), element(o, 2), element(o, 3))
	}
	return i.parseEntryObject(r, o)
}

var errEntryURL = errors.New("a request of http.batch given as an object needs the member url")

func (i *instance) parseEntryObject(r *exchange, o *goja.Object) error {
	address := o.Get("url")
	if conv.IsNullish(address) {
		return errEntryURL
	}
	method, body := "GET", o.Get("body")
	if m := o.Get("method"); !conv.IsNullish(m) {
		method = strings.ToUpper(m.String())
	}
	if method == "GET" || method == "HEAD" {
		body = nil
	}
	return i.parse(r, method, address, body, o.Get("params"))
}
