package k6grpc

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/jsload/jsload/modules/k6grpc/internal/schema"
)

const testProto = `
syntax = "proto3";
package test;
message Msg { string some_text = 1; int64 big = 2; bytes data = 3; int32 n = 4; map<string, string> seen = 5; double d = 6; }
service Test {
  rpc Echo(Msg) returns (Msg);
  rpc Fail(Msg) returns (Msg);
  rpc Meta(Msg) returns (Msg);
  rpc Wait(Msg) returns (Msg);
  rpc Left(Msg) returns (Msg);
  rpc Count(Msg) returns (stream Msg);
  rpc Sum(stream Msg) returns (Msg);
  rpc Chat(stream Msg) returns (stream Msg);
  rpc Deaf(stream Msg) returns (stream Msg);
}`

// server is what the scripts of the tests talk to.
type server struct {
	addr string
	set  *schema.Set
	// ended receives the name of each method that was cut.
	ended chan string
	// tokens receives what token finds.
	tokens chan string
	stop   func()
}

func testFiles(name string) ([]byte, error) {
	if name == "test.proto" || name == "./protos/test.proto" || name == "protos/test.proto" {
		return []byte(testProto), nil
	}
	return nil, fmt.Errorf("%s: no such file", name)
}

func serve(t testing.TB, opts ...grpc.ServerOption) *server {
	t.Helper()
	silence()
	noLeaks(t)
	set, err := schema.Compile(nil, []string{"test.proto"}, testFiles)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{addr: l.Addr().String(), set: set, ended: make(chan string, 64), tokens: make(chan string, 64)}
	g := grpc.NewServer(append(opts, grpc.StreamInterceptor(s.token))...)
	g.RegisterService(s.describe(), nil)
	h := health.NewServer()
	h.SetServingStatus("down", healthpb.HealthCheckResponse_NOT_SERVING)
	healthpb.RegisterHealthServer(g, h)
	files := new(protoregistry.Files)
	if err := files.RegisterFile(set.Methods[0].File); err != nil {
		t.Fatal(err)
	}
	reflectionpb.RegisterServerReflectionServer(g, reflection.NewServerV1(reflection.ServerOptions{Services: g, DescriptorResolver: files}))
	done := make(chan struct{})
	go func() { defer close(done); _ = g.Serve(l) }()
	s.stop = sync.OnceFunc(func() { g.Stop(); <-done })
	t.Cleanup(s.stop)
	return s
}

// token keeps what came as x-token with a request for reflection.
func (s *server) token(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
	if strings.Contains(info.FullMethod, "reflection") {
		md, _ := metadata.FromIncomingContext(stream.Context())
		s.tokens <- strings.Join(md.Get("x-token"), "|")
	}
	return handler(srv, stream)
}

func (s *server) describe() *grpc.ServiceDesc {
	d := &grpc.ServiceDesc{ServiceName: "test.Test", HandlerType: (*any)(nil), Metadata: "test.proto"}
	for _, m := range s.set.Methods {
		if !m.ClientStream && !m.ServerStream {
			d.Methods = append(d.Methods, grpc.MethodDesc{MethodName: m.Name, Handler: func(_ any, ctx context.Context, dec func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
				in := dynamicpb.NewMessage(m.Input)
				if err := dec(in); err != nil {
					return nil, err
				}
				return s.unary(ctx, m.Name, in)
			}})
			continue
		}
		d.Streams = append(d.Streams, grpc.StreamDesc{StreamName: m.Name, ClientStreams: m.ClientStream, ServerStreams: m.ServerStream,
			Handler: func(_ any, stream grpc.ServerStream) error { return s.stream(m, stream) }})
	}
	return d
}

func get(m *dynamicpb.Message, name protoreflect.Name) protoreflect.Value {
	return m.Get(m.Descriptor().Fields().ByName(name))
}

func set(m *dynamicpb.Message, name protoreflect.Name, v any) {
	m.Set(m.Descriptor().Fields().ByName(name), protoreflect.ValueOf(v))
}

func (s *server) unary(ctx context.Context, name string, in *dynamicpb.Message) (any, error) {
	switch name {
	case "Fail":
		st := status.New(codes.Code(get(in, "n").Int()), get(in, "some_text").String())
		if get(in, "big").Int() > 0 {
			var err error
			if st, err = st.WithDetails(&errdetails.ErrorInfo{Reason: "BECAUSE"}); err != nil {
				return nil, err
			}
		}
		return nil, st.Err()
	case "Meta":
		md, _ := metadata.FromIncomingContext(ctx)
		seen := in.Mutable(in.Descriptor().Fields().ByName("seen")).Map()
		for k, v := range md {
			seen.Set(protoreflect.ValueOfString(k).MapKey(), protoreflect.ValueOfString(strings.ToValidUTF8(strings.Join(v, "|"), "?")))
		}
		_ = grpc.SetHeader(ctx, metadata.Pairs("x-head", "1", "x-head", "2", "x-bytes-bin", "\x00\xff"))
		_ = grpc.SetTrailer(ctx, metadata.Pairs("x-tail", "end"))
	case "Wait":
		timer := time.NewTimer(time.Duration(get(in, "n").Int()) * time.Millisecond)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			s.ended <- name
			return nil, ctx.Err()
		}
	case "Left":
		if d, ok := ctx.Deadline(); ok {
			set(in, "n", int32(time.Until(d).Round(time.Second)/time.Second))
		}
	case "Echo":
		if n := get(in, "n").Int(); n > 0 {
			set(in, "data", make([]byte, n))
		}
	}
	return in, nil
}

func (s *server) stream(m *schema.Method, stream grpc.ServerStream) error {
	receive := func() (*dynamicpb.Message, error) {
		in := dynamicpb.NewMessage(m.Input)
		return in, stream.RecvMsg(in)
	}
	switch m.Name {
	case "Count":
		in, err := receive()
		if err != nil {
			return err
		}
		for n := range get(in, "n").Int() {
			set(in, "n", int32(n))
			if err := stream.SendMsg(in); err != nil {
				s.ended <- m.Name
				return err
			}
		}
		if text := get(in, "some_text").String(); text != "" {
			return status.Error(codes.Aborted, text)
		}
		return nil
	case "Sum":
		sum := int64(0)
		for {
			in, err := receive()
			if errors.Is(err, io.EOF) {
				set(in, "n", int32(sum))
				return stream.SendMsg(in)
			}
			if err != nil {
				return err
			}
			sum += get(in, "n").Int()
		}
	case "Chat":
		for {
			in, err := receive()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := stream.SendMsg(in); err != nil {
				return err
			}
		}
	case "Deaf":
		<-stream.Context().Done()
		s.ended <- m.Name
		return stream.Context().Err()
	}
	return nil
}

// pki is an authority with one certificate for 127.0.0.1 and test.example.
type pki struct{ authority, cert, key string }

func newPKI(t testing.TB) pki {
	t.Helper()
	authorityKey, key := newKey(t), newKey(t)
	root := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"test.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	sign := func(c *x509.Certificate, k *ecdsa.PrivateKey) string {
		der, err := x509.CreateCertificate(rand.Reader, c, root, &k.PublicKey, authorityKey)
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pki{
		authority: sign(root, authorityKey), cert: sign(leaf, key),
		key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// option makes a server speak TLS; mutual has it ask for a certificate.
func (p pki) option(t testing.TB, mutual bool) grpc.ServerOption {
	t.Helper()
	pair, err := tls.X509KeyPair([]byte(p.cert), []byte(p.key))
	if err != nil {
		t.Fatal(err)
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{pair}}
	if mutual {
		cfg.ClientAuth = tls.RequireAndVerifyClientCert
		cfg.ClientCAs = x509.NewCertPool()
		cfg.ClientCAs.AppendCertsFromPEM([]byte(p.authority))
	}
	return grpc.Creds(credentials.NewTLS(cfg))
}

// noLeaks checks when the test is over that no goroutine is left.
func noLeaks(t testing.TB) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				buf := make([]byte, 1<<20)
				t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
				return
			}
		}
	})
}

// sorted joins lines, which several goroutines may have made in any order.
func sorted(lines []string) string {
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
