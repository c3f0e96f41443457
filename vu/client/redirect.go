package client

import (
	"fmt"
	"net/url"

	"github.com/jsload/jsload/vu/client/proto"
)

// redirect returns where the last answer sends the request, nil if nowhere or if
// the limit is reached. The rules are net/http's.
func (call *Call) redirect() (*target, error) {
	resp := call.resp
	if !redirects(resp.Status) {
		return nil, nil
	}
	location := resp.Header.First("Location")
	if location == "" {
		return nil, nil
	}
	u, err := call.target.url.Parse(location)
	if err != nil {
		return nil, &proto.Error{
			Code:  proto.CodeGeneric,
			Text:  fmt.Sprintf("failed to parse Location header %q: %v", location, err),
			Kind:  "failed to parse Location header",
			Cause: err,
		}
	}
	if call.redirects >= call.limit {
		resp.RedirectLimit = true
		return nil, nil
	}
	if call.host != "" {
		if rel, err := url.Parse(location); err != nil || rel.IsAbs() {
			call.host = "" // the script's own Host was for the first address only
		}
	}
	return call.client.network.target(u.String())
}

func redirects(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// follow moves the call to its next address.
func (call *Call) follow(next *target) {
	call.redirects++
	if status := call.resp.Status; status != 307 && status != 308 {
		call.dropBody = true
		if m := call.wire.Method; m != "GET" && m != "HEAD" {
			call.wire.Method = "GET"
		}
	}
	if next.hostname != call.first.hostname && !underDomain(next.hostname, call.first.hostname) {
		call.crossed = true
	}
	call.setReferer(next)
	call.digest = digest{}
	call.target = next
}

// setReferer names the page that redirected, unless it was secure and the next
// one is not.
func (call *Call) setReferer(next *target) {
	if call.target.scheme == "https" && next.scheme == "http" {
		call.referer = ""
		return
	}
	call.referer = call.target.bare
	for _, f := range call.header.fields {
		if f.Name == "Referer" {
			call.referer = f.Value
		}
	}
}

// sensitive names the fields that do not follow a redirect to another host.
func sensitive(name string) bool {
	switch name {
	case "Authorization", "Www-Authenticate", "Cookie2", "Proxy-Authorization", "Proxy-Authenticate":
		return true
	}
	return false
}

// describesBody names the fields that go with a body that is dropped.
func describesBody(name string) bool {
	switch name {
	case "Content-Encoding", "Content-Language", "Content-Location", "Content-Type":
		return true
	}
	return false
}
