package client

import (
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"net/url"
	"strings"

	"github.com/jsload/jsload/vu/client/proto"
)

// digest is digest authentication (RFC 7616) of one hop.
type digest struct {
	tried  bool
	answer string // Authorization header of the second try
	// cnonce replaces the random client nonce in tests.
	cnonce string
}

// respond computes the answer to a challenge; ok is false if there is none that
// it can answer.
func (d *digest) respond(h proto.Header, req *proto.Request, user *url.Userinfo) (answer string, ok bool) {
	for _, value := range h.Values("Www-Authenticate") {
		scheme, rest, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, "Digest") {
			continue
		}
		c := parseChallenge(rest)
		if sum := digestSum(c["algorithm"]); sum != nil && qopAuth(c["qop"]) {
			return d.authorize(c, sum, req, user), true
		}
	}
	return "", false
}

// digestSum returns the hash of an algorithm as a function on strings, nil if it
// is unknown.
func digestSum(algorithm string) func(...string) string {
	var fresh func() hash.Hash
	switch strings.TrimSuffix(strings.ToUpper(algorithm), "-SESS") {
	case "", "MD5":
		fresh = md5.New
	case "SHA-256":
		fresh = sha256.New
	case "SHA-512-256":
		fresh = sha512.New512_256
	default:
		return nil
	}
	return func(parts ...string) string {
		h := fresh()
		h.Write([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(h.Sum(nil))
	}
}

// qopAuth reports whether "auth" is among the offers, or nothing is offered.
func qopAuth(offers string) bool {
	if offers == "" {
		return true
	}
	for offer := range strings.SplitSeq(offers, ",") {
		if strings.EqualFold(strings.TrimSpace(offer), "auth") {
			return true
		}
	}
	return false
}

func (d *digest) authorize(c map[string]string, sum func(...string) string, req *proto.Request, user *url.Userinfo) string {
	password, _ := user.Password()
	cnonce := d.cnonce
	if cnonce == "" {
		cnonce = rand.Text()
	}
	const count = "00000001"
	a1 := sum(user.Username(), c["realm"], password)
	if strings.HasSuffix(strings.ToUpper(c["algorithm"]), "-SESS") {
		a1 = sum(a1, c["nonce"], cnonce)
	}
	a2 := sum(req.Method, req.Target)
	response := sum(a1, c["nonce"], a2)
	if c["qop"] != "" {
		response = sum(a1, c["nonce"], count, cnonce, "auth", a2)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `Digest username="%s", realm="%s", nonce="%s", uri="%s", response="%s"`,
		quotable(user.Username()), quotable(c["realm"]), quotable(c["nonce"]), quotable(req.Target), response)
	if c["algorithm"] != "" {
		fmt.Fprintf(&b, `, algorithm=%s`, c["algorithm"])
	}
	if c["opaque"] != "" {
		fmt.Fprintf(&b, `, opaque="%s"`, quotable(c["opaque"]))
	}
	if c["qop"] != "" {
		fmt.Fprintf(&b, `, qop=auth, nc=%s, cnonce="%s"`, count, cnonce)
	}
	return b.String()
}

func quotable(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
}

// parseChallenge reads `name=value, name="quoted value"` pairs; names come out in
// lower case.
func parseChallenge(s string) map[string]string {
	params := map[string]string{}
	for {
		s = strings.TrimLeft(s, " \t,")
		name, rest, ok := strings.Cut(s, "=")
		if !ok {
			return params
		}
		var value string
		value, s = challengeValue(strings.TrimLeft(rest, " \t"))
		params[strings.ToLower(strings.TrimSpace(name))] = value
	}
}

// challengeValue splits a token or a quoted string off s.
func challengeValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ",")
		return strings.TrimSpace(value), rest
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}
