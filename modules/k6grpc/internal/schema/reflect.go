package schema

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// maxReflected is how many bytes of descriptors are taken from a server.
const maxReflected = 64 << 20

// Reflected is what a server said about itself.
type Reflected struct {
	// files are by name, services in the server's order.
	files    map[string][]byte
	services []string
}

// Reflect asks a server for all its services. Both versions of the protocol are
// tried.
func Reflect(ctx context.Context, conn grpc.ClientConnInterface, opts ...grpc.CallOption) (*Reflected, error) {
	r, err := reflectBy(ctx, conn, "v1", opts)
	if status.Code(err) == codes.Unimplemented {
		r, err = reflectBy(ctx, conn, "v1alpha", opts)
	}
	return r, err
}

// Key is equal for equal answers.
func (r *Reflected) Key() string {
	h := sha256.New()
	names := make([]string, 0, len(r.files))
	for name := range r.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		sum := sha256.Sum256(r.files[name])
		h.Write(sum[:])
	}
	h.Write([]byte(strings.Join(r.services, "\n")))
	return string(h.Sum(nil))
}

// Set makes the set of what was said. Servers often leave out files that nothing
// needs, which is no error.
func (r *Reflected) Set() (*Set, error) {
	files := make([]*descriptorpb.FileDescriptorProto, 0, len(r.files))
	names := make([]string, 0, len(r.files))
	for name := range r.files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var f descriptorpb.FileDescriptorProto
		if err := proto.Unmarshal(r.files[name], &f); err != nil {
			return nil, err
		}
		files = append(files, &f)
	}
	return link(files, true)
}

// reflector is one conversation.
type reflector struct {
	Reflected
	stream   grpc.ClientStream
	size     int
	imported []string // files to ask for unless they are there
}

func reflectBy(ctx context.Context, conn grpc.ClientConnInterface, version string, opts []grpc.CallOption) (*Reflected, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	desc := &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}
	stream, err := conn.NewStream(ctx, desc, "/grpc.reflection."+version+".ServerReflection/ServerReflectionInfo", opts...)
	if err != nil {
		return nil, err
	}
	r := &reflector{stream: stream, Reflected: Reflected{files: make(map[string][]byte)}}
	if err := r.all(); err != nil {
		return nil, err
	}
	return &r.Reflected, stream.CloseSend()
}

func (r *reflector) all() error {
	list, err := r.ask(&reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_ListServices{ListServices: "*"}})
	if err != nil {
		return err
	}
	var refused *refusal
	for _, s := range list.GetListServicesResponse().GetService() {
		r.services = append(r.services, s.GetName())
		err := r.fetch(&reflection.ServerReflectionRequest{
			MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: s.GetName()}})
		if err != nil && !errors.As(err, &refused) {
			return fmt.Errorf("service %s: %w", s.GetName(), err)
		}
	}
	// A server may lack the description of a service that nobody wants.
	if len(r.files) == 0 && refused != nil {
		return refused
	}
	return r.imports()
}

// imports asks for the files that are imported and were not sent.
func (r *reflector) imports() error {
	asked := make(map[string]bool)
	for len(r.imported) > 0 {
		name := r.imported[0]
		r.imported = r.imported[1:]
		if r.files[name] != nil || asked[name] {
			continue
		}
		asked[name] = true
		err := r.fetch(&reflection.ServerReflectionRequest{
			MessageRequest: &reflection.ServerReflectionRequest_FileByFilename{FileByFilename: name}})
		var refused *refusal
		if err != nil && !errors.As(err, &refused) {
			return err
		}
	}
	return nil
}

// fetch asks for files and keeps them.
func (r *reflector) fetch(q *reflection.ServerReflectionRequest) error {
	answer, err := r.ask(q)
	if err != nil {
		return err
	}
	for _, data := range answer.GetFileDescriptorResponse().GetFileDescriptorProto() {
		var f descriptorpb.FileDescriptorProto
		if err := proto.Unmarshal(data, &f); err != nil {
			return fmt.Errorf("a descriptor that cannot be read: %w", err)
		}
		if r.files[f.GetName()] != nil {
			continue
		}
		if r.size += len(data); r.size > maxReflected {
			return fmt.Errorf("the server's descriptors are larger than %d MiB", maxReflected>>20)
		}
		r.files[f.GetName()] = data
		r.imported = append(r.imported, f.GetDependency()...)
	}
	return nil
}

// refusal is a server's answer that it does not have something.
type refusal struct{ text string }

// Error gives the server's words.
func (e *refusal) Error() string { return e.text }

func (r *reflector) ask(q *reflection.ServerReflectionRequest) (*reflection.ServerReflectionResponse, error) {
	// Why sending failed is what receiving tells.
	if err := r.stream.SendMsg(q); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	answer := new(reflection.ServerReflectionResponse)
	if err := r.stream.RecvMsg(answer); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the server ended the conversation")
		}
		return nil, err
	}
	if e := answer.GetErrorResponse(); e != nil {
		return nil, &refusal{fmt.Sprintf("%s (code %d)", e.GetErrorMessage(), e.GetErrorCode())}
	}
	return answer, nil
}
