// Package all is the visible list of native modules.
package all

import (
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/globals"
	"github.com/jsload/jsload/modules/k6"
	"github.com/jsload/jsload/modules/k6crypto"
	"github.com/jsload/jsload/modules/k6csv"
	"github.com/jsload/jsload/modules/k6data"
	"github.com/jsload/jsload/modules/k6encoding"
	"github.com/jsload/jsload/modules/k6execution"
	"github.com/jsload/jsload/modules/k6fs"
	"github.com/jsload/jsload/modules/k6grpc"
	"github.com/jsload/jsload/modules/k6html"
	"github.com/jsload/jsload/modules/k6http"
	"github.com/jsload/jsload/modules/k6metrics"
	"github.com/jsload/jsload/modules/k6secrets"
	"github.com/jsload/jsload/modules/k6streams"
	"github.com/jsload/jsload/modules/k6timers"
	"github.com/jsload/jsload/modules/k6websockets"
	"github.com/jsload/jsload/modules/k6ws"
	"github.com/jsload/jsload/modules/k6x509"
	"github.com/jsload/jsload/modules/webcrypto"
)

// Modules returns the registry of a run. Each module answers to the name that
// scripts of the reference tool import and to one of our own.
func Modules() *modules.Registry {
	r := &modules.Registry{}
	r.Add(k6.New(), "k6", "jsload")
	r.Add(k6http.New(), "k6/http", "jsload/http")
	r.Add(k6html.New(), "k6/html", "jsload/html")
	r.Add(k6metrics.New(), "k6/metrics", "jsload/metrics")
	r.Add(k6execution.New(), "k6/execution", "jsload/execution")
	r.Add(k6data.New(), "k6/data", "jsload/data")
	r.Add(k6encoding.New(), "k6/encoding", "jsload/encoding")
	r.Add(k6crypto.New(), "k6/crypto", "jsload/crypto")
	r.Add(k6x509.New(), "k6/crypto/x509", "jsload/crypto/x509")
	r.Add(k6timers.New(), "k6/timers", "jsload/timers")
	r.Add(k6timers.NewExperimental(), "k6/experimental/timers", "jsload/experimental/timers")
	r.Add(k6secrets.New(), "k6/secrets", "jsload/secrets")
	r.Add(k6fs.New(), "k6/experimental/fs", "jsload/experimental/fs")
	r.Add(k6csv.New(), "k6/experimental/csv", "jsload/experimental/csv")
	r.Add(k6streams.New(), "k6/experimental/streams", "jsload/experimental/streams")
	r.Add(k6ws.New(), "k6/ws", "jsload/ws")
	r.Add(k6websockets.New(), "k6/websockets", "jsload/websockets")
	r.Add(k6websockets.NewExperimental(), "k6/experimental/websockets", "jsload/experimental/websockets")
	r.Add(k6grpc.New(), "k6/net/grpc")
	r.Add(k6grpc.NewOwn(), "jsload/net/grpc")
	r.Add(k6grpc.NewExperimental(), "k6/experimental/grpc", "jsload/experimental/grpc")
	r.Add(webcrypto.NewExperimental(), "k6/experimental/webcrypto", "jsload/experimental/webcrypto")
	r.Add(globals.New(webcrypto.New()), modules.GlobalsPath)
	return r
}
