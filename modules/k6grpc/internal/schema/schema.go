// Package schema finds out which methods a gRPC server has and what their
// messages look like: from proto files, from a set of compiled ones, or from the
// server itself by reflection.
//
// modules/k6grpc calls it. A Set is immutable; one serves all virtual users. The
// package opens no files and no connections of its own.
package schema

import (
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	// The types that servers put into the details of an error, and those that
	// proto files import without bringing them along.
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
	_ "google.golang.org/protobuf/types/known/anypb"
	_ "google.golang.org/protobuf/types/known/durationpb"
	_ "google.golang.org/protobuf/types/known/emptypb"
	_ "google.golang.org/protobuf/types/known/fieldmaskpb"
	_ "google.golang.org/protobuf/types/known/structpb"
	_ "google.golang.org/protobuf/types/known/timestamppb"
	_ "google.golang.org/protobuf/types/known/wrapperspb"
)

// Method is one method of a service.
type Method struct {
	// Service is the full name of the service, Package its package, which may be
	// empty.
	Service, Package string
	// Name is the name of the method, Path the name of both as it is sent:
	// /package.Service/Method.
	Name, Path string
	// Input and Output are the types of the messages.
	Input, Output protoreflect.MessageDescriptor
	// ClientStream and ServerStream tell which side sends many messages.
	ClientStream, ServerStream bool
	// File declares the service.
	File protoreflect.FileDescriptor
	// Set is where the method was found.
	Set *Set
}

// Set is what was found in one place.
type Set struct {
	// Methods are in the order of their declaration.
	Methods []*Method

	byPath map[string]*Method
	types  *dynamicpb.Types
}

// Method returns the method of a path, with its slash at the beginning or
// without; nil if there is none.
func (s *Set) Method(path string) *Method { return s.byPath[strings.TrimPrefix(path, "/")] }

// FindMessageByURL returns the type that a google.protobuf.Any names: one of the
// set, or one that every program knows.
func (s *Set) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	if mt, err := s.types.FindMessageByURL(url); err == nil {
		return mt, nil
	}
	return protoregistry.GlobalTypes.FindMessageByURL(url)
}

// Describes tells whether the type that a google.protobuf.Any names is one of the
// set.
func (s *Set) Describes(url string) bool {
	_, err := s.types.FindMessageByURL(url)
	return err == nil
}

// newSet makes the set of the methods in the files and all that they import.
func newSet(files []protoreflect.FileDescriptor) (*Set, error) {
	s := &Set{byPath: make(map[string]*Method)}
	all := new(protoregistry.Files)
	for _, fd := range files {
		if err := s.add(all, fd); err != nil {
			return nil, err
		}
	}
	s.types = dynamicpb.NewTypes(all)
	return s, nil
}

// add enters a file and then what it imports.
func (s *Set) add(all *protoregistry.Files, fd protoreflect.FileDescriptor) error {
	if _, err := all.FindFileByPath(fd.Path()); err == nil {
		return nil
	}
	if err := all.RegisterFile(fd); err != nil {
		return err
	}
	for i := range fd.Services().Len() {
		s.service(fd.Services().Get(i))
	}
	for i := range fd.Imports().Len() {
		imported := fd.Imports().Get(i).FileDescriptor
		if imported.IsPlaceholder() {
			continue
		}
		if err := s.add(all, imported); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) service(sd protoreflect.ServiceDescriptor) {
	for i := range sd.Methods().Len() {
		md := sd.Methods().Get(i)
		if md.Input().IsPlaceholder() || md.Output().IsPlaceholder() {
			continue // the server did not say what they look like
		}
		path := string(sd.FullName()) + "/" + string(md.Name())
		m := &Method{
			Service: string(sd.FullName()), Package: string(sd.ParentFile().Package()),
			Name: string(md.Name()), Path: "/" + path,
			Input: md.Input(), Output: md.Output(),
			ClientStream: md.IsStreamingClient(), ServerStream: md.IsStreamingServer(),
			File: sd.ParentFile(), Set: s,
		}
		s.Methods = append(s.Methods, m)
		s.byPath[path] = m
	}
}

// ShortService is the name of the service without its package.
func (m *Method) ShortService() string {
	return strings.TrimPrefix(strings.TrimPrefix(m.Service, m.Package), ".")
}

// FromProtoset reads a file that the compiler of protocol buffers wrote with
// --descriptor_set_out and --include_imports.
func FromProtoset(data []byte) (*Set, error) {
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(data, &set); err != nil {
		return nil, fmt.Errorf("it is no set of file descriptors: %w", err)
	}
	return link(set.GetFile(), false)
}

// link makes a set of compiled files, in any order. Where incomplete, references
// to what is missing are tolerated until they are used.
func link(files []*descriptorpb.FileDescriptorProto, incomplete bool) (*Set, error) {
	l := linker{
		files:  make(map[string]*descriptorpb.FileDescriptorProto, len(files)),
		linked: new(protoregistry.Files),
		opts:   protodesc.FileOptions{AllowUnresolvable: incomplete},
	}
	for _, f := range files {
		l.files[f.GetName()] = f
	}
	found := make([]protoreflect.FileDescriptor, 0, len(files))
	for _, f := range files {
		fd, err := l.link(f.GetName(), nil)
		if err != nil {
			return nil, err
		}
		found = append(found, fd)
	}
	return newSet(found)
}

// linker resolves the imports of compiled files.
type linker struct {
	files  map[string]*descriptorpb.FileDescriptorProto
	linked *protoregistry.Files
	opts   protodesc.FileOptions
}

var errCycle = errors.New("files import each other in a circle")

// link makes a file after those that it imports. path are the files on the way.
func (l *linker) link(name string, path []string) (protoreflect.FileDescriptor, error) {
	if fd, err := l.linked.FindFileByPath(name); err == nil {
		return fd, nil
	}
	f := l.files[name]
	if f == nil {
		return protoregistry.GlobalFiles.FindFileByPath(name)
	}
	if len(path) > len(l.files) {
		return nil, errCycle
	}
	for _, imported := range f.GetDependency() {
		if _, err := l.link(imported, append(path, name)); err != nil && !l.opts.AllowUnresolvable {
			return nil, fmt.Errorf("%s imports %s: %w", name, imported, err)
		}
	}
	fd, err := l.opts.New(f, l)
	if err != nil {
		return nil, err
	}
	return fd, l.linked.RegisterFile(fd)
}

// FindFileByPath returns a file that was linked, or one that every program has.
func (l *linker) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	if fd, err := l.linked.FindFileByPath(path); err == nil {
		return fd, nil
	}
	return protoregistry.GlobalFiles.FindFileByPath(path)
}

// FindDescriptorByName does the same for a name.
func (l *linker) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	if d, err := l.linked.FindDescriptorByName(name); err == nil {
		return d, nil
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name)
}
