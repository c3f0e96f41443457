package schema

import (
	"context"
	"errors"
	"net"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
	reflectionpb "google.golang.org/grpc/reflection/grpc_reflection_v1"
	v1alpha "google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// tree is a folder of proto files.
var tree = map[string]string{
	"protos/shop.proto":      `syntax = "proto3"; package shop.v1; import "lib/money.proto"; import "google/protobuf/empty.proto"; service Shop { rpc Buy(lib.Money) returns (google.protobuf.Empty); rpc Feed(stream lib.Money) returns (stream lib.Money); }`,
	"protos/lib/money.proto": `syntax = "proto3"; package lib; message Money { int64 units = 1; } service Bank { rpc Mint(Money) returns (Money); }`,
	"more/plain.proto":       `syntax = "proto3"; message E {} service Plain { rpc Do(E) returns (E); }`,
	"more/broken.proto":      `syntax = "proto3"; import "not/there.proto";`,
	"more/syntax.proto":      `syntax = "proto3" message {`,
	"more/circle.proto":      `syntax = "proto3"; import "more/circle.proto";`,
	"/abs/lib/money.proto":   `syntax = "proto3"; package lib; message Money {}`,
	"/abs/a.proto":           `syntax = "proto3"; import "lib/money.proto"; service A { rpc Do(lib.Money) returns (lib.Money); }`,
}

var errNoFile = errors.New("no such file")

func open(name string) ([]byte, error) {
	if text, ok := tree[path.Clean(name)]; ok {
		return []byte(text), nil
	}
	return nil, errNoFile
}

func paths(s *Set) string {
	var all []string
	for _, m := range s.Methods {
		all = append(all, m.Path)
	}
	return strings.Join(all, " ")
}

func TestCompile(t *testing.T) {
	tests := []struct {
		name         string
		paths, files []string
		want, err    string
	}{
		{"in an import path", []string{"protos"}, []string{"shop.proto"}, "/shop.v1.Shop/Buy /shop.v1.Shop/Feed /lib.Bank/Mint", ""},
		{"in the second", []string{"protos", "more/"}, []string{"shop.proto", "plain.proto"}, "/shop.v1.Shop/Buy /shop.v1.Shop/Feed /lib.Bank/Mint /Plain/Do", ""},
		{"without import paths", nil, []string{"more/plain.proto"}, "/Plain/Do", ""},
		{"unclean", nil, []string{"./more/plain.proto"}, "/Plain/Do", ""},
		{"the same twice", []string{"more"}, []string{"plain.proto", "plain.proto"}, "/Plain/Do", ""},
		{"absolute", []string{"/abs"}, []string{"/abs/a.proto"}, "/A/Do", ""},
		{"import not found", []string{"more"}, []string{"broken.proto"}, "", "not/there.proto"},
		{"file not found", []string{"more"}, []string{"none.proto"}, "", "no such file"},
		{"imports not below the path", []string{"."}, []string{"protos/shop.proto"}, "", "lib/money.proto"},
		{"not a proto file", []string{"more"}, []string{"syntax.proto"}, "", "syntax.proto:1"},
		{"imports itself", nil, []string{"more/circle.proto"}, "", "cycle"},
		{"no file", []string{"more"}, nil, "", "no proto file is named"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := Compile(test.paths, test.files, open)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Fatalf("error %v, want one with %q", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := paths(s); got != test.want {
				t.Errorf("got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestMethod(t *testing.T) {
	s, err := Compile([]string{"protos", "more"}, []string{"shop.proto", "plain.proto"}, open)
	if err != nil {
		t.Fatal(err)
	}
	m := s.Method("/shop.v1.Shop/Feed")
	if m == nil || m != s.Method("shop.v1.Shop/Feed") {
		t.Fatal("a method has its name with a slash and without")
	}
	if m.Service != "shop.v1.Shop" || m.ShortService() != "Shop" || m.Package != "shop.v1" || m.Name != "Feed" || !m.ClientStream || !m.ServerStream {
		t.Errorf("%+v", m)
	}
	if m := s.Method("Plain/Do"); m == nil || m.Package != "" || m.ShortService() != "Plain" {
		t.Errorf("%+v", m)
	}
	for _, none := range []string{"", "/", "Feed", "shop.v1.Shop", "shop.v1.Shop/", "//shop.v1.Shop/Feed", "shop.v1.Shop/Nope"} {
		if s.Method(none) != nil {
			t.Errorf("%q is a method", none)
		}
	}
	if _, err := s.FindMessageByURL("type.googleapis.com/lib.Money"); err != nil || !s.Describes("lib.Money") {
		t.Error(err)
	}
	if _, err := s.FindMessageByURL("type.googleapis.com/google.rpc.ErrorInfo"); err != nil || s.Describes("google.rpc.ErrorInfo") {
		t.Errorf("the common types are known, but not described: %v", err)
	}
}

// protoset makes a set of the files of the tree.
func protoset(t testing.TB, without ...string) []byte {
	t.Helper()
	s, err := Compile([]string{"protos"}, []string{"shop.proto"}, open)
	if err != nil {
		t.Fatal(err)
	}
	set := &descriptorpb.FileDescriptorSet{}
	buy := s.Method("shop.v1.Shop/Buy")
	for _, fd := range []protoreflect.FileDescriptor{buy.File, buy.Input.ParentFile(), buy.Output.ParentFile()} {
		if !slices.Contains(without, fd.Path()) {
			set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
		}
	}
	data, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFromProtoset(t *testing.T) {
	s, err := FromProtoset(protoset(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(s); got != "/shop.v1.Shop/Buy /shop.v1.Shop/Feed /lib.Bank/Mint" {
		t.Error(got)
	}
	if _, err := FromProtoset(protoset(t, "google/protobuf/empty.proto")); err != nil {
		t.Errorf("what every program knows may be missing: %v", err)
	}
	for name, data := range map[string][]byte{
		"an import is missing": protoset(t, "lib/money.proto"),
		"a text":               []byte(`syntax = "proto3";`),
		"a circle":             circle(t),
		"nonsense":             {0xff, 0x00, 0x12},
	} {
		if _, err := FromProtoset(data); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func circle(t testing.TB) []byte {
	t.Helper()
	set := &descriptorpb.FileDescriptorSet{File: []*descriptorpb.FileDescriptorProto{
		{Name: new("a"), Dependency: []string{"b"}},
		{Name: new("b"), Dependency: []string{"a"}},
	}}
	data, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func FuzzFromProtoset(f *testing.F) {
	f.Add(protoset(f))
	f.Add(protoset(f, "lib/money.proto"))
	f.Add(circle(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := FromProtoset(data)
		if err != nil {
			return
		}
		for _, m := range s.Methods {
			if s.Method(m.Path) == nil {
				t.Errorf("method %q is not found by its path", m.Path)
			}
		}
		var set descriptorpb.FileDescriptorSet
		if proto.Unmarshal(data, &set) == nil {
			_, _ = link(set.GetFile(), true)
		}
	})
}

// serve starts a server and returns a connection to it.
func serve(t *testing.T, register func(*grpc.Server)) *grpc.ClientConn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer()
	register(s)
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Serve(l) }()
	conn, err := grpc.NewClient("passthrough:///"+l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(); s.Stop(); <-done })
	return conn
}

func TestReflect(t *testing.T) {
	servers := map[string]func(*grpc.Server){
		"both versions": func(s *grpc.Server) { reflection.Register(s) },
		"the old version": func(s *grpc.Server) {
			v1alpha.RegisterServerReflectionServer(s, reflection.NewServer(reflection.ServerOptions{Services: s}))
		},
	}
	for name, register := range servers {
		t.Run(name, func(t *testing.T) {
			conn := serve(t, func(s *grpc.Server) {
				healthpb.RegisterHealthServer(s, health.NewServer())
				register(s)
			})
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			answer, err := Reflect(ctx, conn)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Reflect(ctx, conn)
			if err != nil || again.Key() != answer.Key() {
				t.Errorf("the same answer has another key (%v)", err)
			}
			s, err := answer.Set()
			if err != nil || s.Method("grpc.health.v1.Health/Check") == nil {
				t.Errorf("got %v, %v", s, err)
			}
		})
	}
}

func TestReflectNotOffered(t *testing.T) {
	conn := serve(t, func(*grpc.Server) {})
	_, err := Reflect(t.Context(), conn)
	if status.Code(err) != codes.Unimplemented {
		t.Error(err)
	}
}

// liar answers reflection as it likes.
type liar struct {
	reflectionpb.UnimplementedServerReflectionServer
	answer func(*reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse
}

func (l *liar) ServerReflectionInfo(s grpc.BidiStreamingServer[reflectionpb.ServerReflectionRequest, reflectionpb.ServerReflectionResponse]) error {
	for {
		q, err := s.Recv()
		if err != nil {
			return err
		}
		a := l.answer(q)
		if a == nil {
			return nil
		}
		if err := s.Send(a); err != nil {
			return err
		}
	}
}

func listed(services ...string) *reflectionpb.ServerReflectionResponse {
	list := &reflectionpb.ListServiceResponse{}
	for _, s := range services {
		list.Service = append(list.Service, &reflectionpb.ServiceResponse{Name: s})
	}
	return &reflectionpb.ServerReflectionResponse{MessageResponse: &reflectionpb.ServerReflectionResponse_ListServicesResponse{ListServicesResponse: list}}
}

func sent(files ...*descriptorpb.FileDescriptorProto) *reflectionpb.ServerReflectionResponse {
	r := &reflectionpb.FileDescriptorResponse{}
	for _, f := range files {
		data, err := proto.Marshal(f)
		if err != nil {
			panic(err)
		}
		r.FileDescriptorProto = append(r.FileDescriptorProto, data)
	}
	return &reflectionpb.ServerReflectionResponse{MessageResponse: &reflectionpb.ServerReflectionResponse_FileDescriptorResponse{FileDescriptorResponse: r}}
}

func refused(text string) *reflectionpb.ServerReflectionResponse {
	return &reflectionpb.ServerReflectionResponse{MessageResponse: &reflectionpb.ServerReflectionResponse_ErrorResponse{
		ErrorResponse: &reflectionpb.ErrorResponse{ErrorCode: 5, ErrorMessage: text}}}
}

func TestReflectLies(t *testing.T) {
	endless := 0
	tests := []struct {
		name   string
		answer func(*reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse
		err    string // empty: Reflect and Set succeed
	}{
		{"ends at once", func(*reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse { return nil }, "ended the conversation"},
		{"refuses the list", func(*reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
			return refused("no list")
		}, "no list (code 5)"},
		{"does not know its service", func(q *reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
			if q.GetListServices() != "" {
				return listed("gone.Service")
			}
			return refused("not here")
		}, "not here (code 5)"},
		{"lacks an import that is used", func(q *reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
			switch {
			case q.GetListServices() != "":
				return listed("gone.Service", "half.S")
			case q.GetFileByFilename() != "":
				return refused("no such file")
			case q.GetFileContainingSymbol() == "gone.Service":
				return refused("no such service")
			}
			return sent(&descriptorpb.FileDescriptorProto{
				Name: new("half.proto"), Package: new("half"), Dependency: []string{"lost.proto"},
				MessageType: []*descriptorpb.DescriptorProto{{Name: new("M")}},
				Service: []*descriptorpb.ServiceDescriptorProto{{Name: new("S"), Method: []*descriptorpb.MethodDescriptorProto{
					{Name: new("Whole"), InputType: new(".half.M"), OutputType: new(".half.M")},
					{Name: new("Half"), InputType: new(".lost.M"), OutputType: new(".half.M")},
				}}},
			})
		}, ""},
		{"imports without end", func(q *reflectionpb.ServerReflectionRequest) *reflectionpb.ServerReflectionResponse {
			if q.GetListServices() != "" {
				return listed("endless.S")
			}
			endless++
			return sent(&descriptorpb.FileDescriptorProto{
				Name:       new(strings.Repeat("x", endless)),
				Dependency: []string{strings.Repeat("x", endless+1)},
			})
		}, "eadline"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			conn := serve(t, func(s *grpc.Server) { reflectionpb.RegisterServerReflectionServer(s, &liar{answer: test.answer}) })
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			answer, err := Reflect(ctx, conn)
			if err == nil {
				_, err = answer.Set()
			}
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
				t.Fatalf("error %v, want %q", err, test.err)
			}
			if test.err == "" {
				if s, _ := answer.Set(); paths(s) != "/half.S/Whole" {
					t.Errorf("got %s", paths(s))
				}
			}
		})
	}
}
