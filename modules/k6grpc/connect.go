package k6grpc

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/jsload/jsload/modules/conv"
	vuclient "github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/options"
)

// connectTimeout bounds connecting, the handshake and reflection together.
const connectTimeout = 60 * time.Second

// connectParams are the parameters of Client.connect.
type connectParams struct {
	plaintext       bool
	reflect         bool
	reflectMetadata metadata.MD
	timeout         time.Duration
	authority       string
	// maxReceive and maxSend are in bytes, zero for the defaults.
	maxReceive, maxSend int
	tls                 *tlsParams
}

// tlsParams replace what the test's options say of TLS.
type tlsParams struct {
	cert, key, password string
	authorities         []string // PEM
}

func (i *instance) parseConnect(v goja.Value) (*connectParams, error) {
	p := &connectParams{timeout: connectTimeout}
	if conv.IsNullish(v) {
		return p, nil
	}
	o := v.ToObject(i.rt)
	for _, key := range o.Keys() {
		v := o.Get(key)
		if v == nil || goja.IsUndefined(v) {
			continue
		}
		if err := i.parseConnectParam(p, key, v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (i *instance) parseConnectParam(p *connectParams, key string, v goja.Value) (err error) {
	switch key {
	case "plaintext":
		p.plaintext, err = boolean(key, v)
	case "reflect":
		p.reflect, err = boolean(key, v)
	case "reflectMetadata":
		p.reflectMetadata, err = i.metadata(v)
	case "timeout":
		p.timeout, err = duration(v)
	case "authority":
		p.authority, err = text(key, v)
	case "maxReceiveSize":
		p.maxReceive, err = size(key, v)
	case "maxSendSize":
		p.maxSend, err = size(key, v)
	case "tls":
		p.tls, err = i.parseTLS(v)
	default:
		err = fmt.Errorf("unknown param %q: known are plaintext, reflect, reflectMetadata, timeout, authority, maxReceiveSize, maxSendSize and tls", key)
	}
	return err
}

// size reads a limit in bytes.
func size(key string, v goja.Value) (int, error) {
	n, ok := v.Export().(int64)
	if !ok {
		return 0, fmt.Errorf("invalid %s value: %s is no whole number of bytes", key, v)
	}
	if n < 0 || n > math.MaxInt32 {
		return 0, fmt.Errorf("invalid %s value: %d is not between 0 and %d", key, n, math.MaxInt32)
	}
	return int(n), nil
}

func (i *instance) parseTLS(v goja.Value) (*tlsParams, error) {
	if conv.IsNullish(v) {
		return nil, nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, errors.New("invalid tls value: it must be an object")
	}
	p := &tlsParams{}
	for _, key := range o.Keys() {
		v := o.Get(key)
		if conv.IsNullish(v) {
			continue
		}
		if err := i.parseTLSParam(p, key, v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (i *instance) parseTLSParam(p *tlsParams, key string, v goja.Value) (err error) {
	switch key {
	case "cert":
		p.cert, err = text("tls cert", v)
	case "key":
		p.key, err = text("tls key", v)
	case "password":
		p.password, err = text("tls password", v)
	case "cacerts":
		p.authorities, err = i.texts("tls cacerts", v)
	default:
		err = fmt.Errorf("unknown tls param %q: known are cert, key, password and cacerts", key)
	}
	return err
}

// texts reads a string or an array of strings.
func (i *instance) texts(key string, v goja.Value) ([]string, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		s, err := text(key, v)
		return []string{s}, err
	}
	var all []string
	for n := range int(o.Get("length").ToInteger()) {
		s, err := text(key, o.Get(strconv.Itoa(n)))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// credentials say how connections are secured.
func (p *connectParams) credentials(d *vuclient.Dialer) (credentials.TransportCredentials, error) {
	if p.plaintext {
		return insecure.NewCredentials(), nil
	}
	// The server's name follows from the authority.
	cfg := d.TLSConfig("", "h2")
	if t := p.tls; t != nil {
		if t.cert != "" || t.key != "" {
			pair, err := options.KeyPair(t.cert, t.key, t.password)
			if err != nil {
				return nil, fmt.Errorf("invalid tls value: %w", err)
			}
			cfg.Certificates = append(cfg.Certificates[:0:0], pair)
		}
		if len(t.authorities) > 0 {
			cfg.RootCAs = x509.NewCertPool()
			for _, pem := range t.authorities {
				if !cfg.RootCAs.AppendCertsFromPEM([]byte(pem)) {
					return nil, errors.New("invalid tls value: the cacerts hold no PEM certificate")
				}
			}
		}
	}
	return credentials.NewTLS(cfg), nil
}

// address adds the port that gRPC takes if there is none.
func address(addr string) string {
	addr = strings.TrimPrefix(addr, "dns:///")
	if _, _, err := net.SplitHostPort(addr); err != nil && strings.Contains(err.Error(), "missing port") {
		return net.JoinHostPort(strings.Trim(addr, "[]"), "443")
	}
	return addr
}

// dial connects and waits until the connection can be used. The caller closes it.
func (p *connectParams) dial(ctx context.Context, d *vuclient.Dialer, addr string) (*grpc.ClientConn, error) {
	creds, err := p.credentials(d)
	if err != nil {
		return nil, err
	}
	failed := &reason{}
	conn, err := grpc.NewClient("passthrough:///"+address(addr), p.dialOptions(d, creds, failed)...)
	if err != nil {
		return nil, err
	}
	if err := ready(ctx, conn, failed); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

func (p *connectParams) dialOptions(d *vuclient.Dialer, creds credentials.TransportCredentials, failed *reason) []grpc.DialOption {
	opts := []grpc.DialOption{
		grpc.WithTransportCredentials(&watched{creds, failed}),
		grpc.WithContextDialer(func(ctx context.Context, addr string) (net.Conn, error) {
			nc, err := d.DialTunnel(ctx, &url.URL{Scheme: "https", Host: addr}, addr)
			failed.set(err)
			return nc, err
		}),
		grpc.WithNoProxy(), // the dialer knows the run's
		// A load tester shows what failed; it does not try again on the quiet.
		grpc.WithDisableRetry(), grpc.WithDisableServiceConfig(), grpc.WithDisableHealthCheck(),
		grpc.WithIdleTimeout(0),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: max(p.timeout, time.Second)}),
	}
	if agent := d.UserAgent(); agent != "" {
		opts = append(opts, grpc.WithUserAgent(agent))
	}
	if p.authority != "" {
		opts = append(opts, grpc.WithAuthority(p.authority))
	}
	if p.maxReceive > 0 {
		opts = append(opts, grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(p.maxReceive)))
	}
	if p.maxSend > 0 {
		opts = append(opts, grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(p.maxSend)))
	}
	return opts
}

// ready waits for the first attempt to connect.
func ready(ctx context.Context, conn *grpc.ClientConn, failed *reason) error {
	conn.Connect()
	for {
		switch state := conn.GetState(); state {
		case connectivity.Ready:
			return nil
		case connectivity.TransientFailure, connectivity.Shutdown:
			return failed.or(lastError(ctx, conn))
		default:
			if !conn.WaitForStateChange(ctx, state) {
				return failed.or(ctx.Err())
			}
		}
	}
}

var errNotReady = errors.New("the server ended the connection before it was ready")

// lastError asks for what went wrong after the handshake. Only calls are told, and
// while there is no connection they fail without one.
func lastError(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := conn.NewStream(ctx, &grpc.StreamDesc{}, "/")
	if status.Code(err) != codes.Unavailable {
		return errNotReady
	}
	return errors.New(status.Convert(err).Message())
}

// reason remembers why connecting failed last.
type reason struct {
	mu  sync.Mutex
	err error
}

func (r *reason) set(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func (r *reason) or(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	return err
}

// watched are credentials whose failures are remembered: the library itself only
// tells of them in the errors of calls.
type watched struct {
	credentials.TransportCredentials
	failed *reason
}

// ClientHandshake secures a connection.
func (w *watched) ClientHandshake(ctx context.Context, authority string, nc net.Conn) (net.Conn, credentials.AuthInfo, error) {
	secured, info, err := w.TransportCredentials.ClientHandshake(ctx, authority, nc)
	w.failed.set(err)
	return secured, info, err
}

// Clone copies the credentials.
func (w *watched) Clone() credentials.TransportCredentials {
	return &watched{w.TransportCredentials.Clone(), w.failed}
}
