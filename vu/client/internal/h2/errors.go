package h2

import (
	"errors"
	"fmt"

	"golang.org/x/net/http2"

	"github.com/jsload/jsload/vu/client/proto"
)

// errSpent says that a connection takes no more exchanges.
var errSpent = errors.New("http2: the connection takes no more requests")

// coded is the code of a kind of failure with an HTTP/2 code; codes that the
// protocol does not know are the kind alone.
func coded(kind int, code http2.ErrCode) int {
	if code > http2.ErrCodeHTTP11Required {
		return kind
	}
	return kind + 1 + int(code)
}

func goAwayError(code http2.ErrCode) error {
	return &proto.Error{Code: coded(proto.CodeHTTP2GoAway, code), Text: fmt.Sprintf("http2: the server went away: %s", code)}
}

func resetError(code http2.ErrCode) error {
	return &proto.Error{Code: coded(proto.CodeHTTP2Stream, code), Text: fmt.Sprintf("http2: the server reset the stream: %s", code)}
}

// connError is a violation of the protocol that ends the connection.
func connError(code http2.ErrCode, text string) *proto.Error {
	return &proto.Error{Code: coded(proto.CodeHTTP2Connection, code), Text: fmt.Sprintf("http2: %s: %s", code, text)}
}
