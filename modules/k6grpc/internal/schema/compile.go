package schema

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Compile reads proto files and what they import. Files are looked for in the
// import paths, in order; without any, where their names say. open returns the
// content of a file and is called from one goroutine at a time.
func Compile(importPaths, names []string, open func(name string) ([]byte, error)) (*Set, error) {
	if len(names) == 0 {
		return nil, errors.New("no proto file is named")
	}
	names = relative(importPaths, names)
	c := protocompile.Compiler{
		MaxParallelism: 1,
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			Accessor: func(name string) (io.ReadCloser, error) { return find(importPaths, name, open) },
		}),
	}
	files, err := c.Compile(context.Background(), names...)
	if err != nil {
		return nil, err
	}
	var protos []*descriptorpb.FileDescriptorProto
	known := make(map[string]bool)
	for _, f := range files {
		protos = flatten(protos, f, known)
	}
	return link(protos, false)
}

// flatten appends the compiled form of a file and of all that it imports. What
// the compiler itself made of them can then be forgotten.
func flatten(to []*descriptorpb.FileDescriptorProto, fd protoreflect.FileDescriptor, known map[string]bool) []*descriptorpb.FileDescriptorProto {
	if known[fd.Path()] {
		return to
	}
	known[fd.Path()] = true
	to = append(to, protoutil.ProtoFromFileDescriptor(fd))
	for i := range fd.Imports().Len() {
		to = flatten(to, fd.Imports().Get(i).FileDescriptor, known)
	}
	return to
}

// find opens a file below the first import path that has it.
func find(importPaths []string, name string, open func(string) ([]byte, error)) (io.ReadCloser, error) {
	if len(importPaths) == 0 {
		importPaths = []string{""}
	}
	var first error
	for _, p := range importPaths {
		data, err := open(join(p, name))
		if err == nil {
			return io.NopCloser(bytes.NewReader(data)), nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func join(dir, name string) string {
	if dir == "" || path.IsAbs(name) {
		return name
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// relative shortens names that begin with an import path: a file has one name,
// by which others import it.
func relative(importPaths, names []string) []string {
	short := make([]string, len(names))
	for i, name := range names {
		short[i] = path.Clean(name)
		for _, p := range importPaths {
			if rest, ok := strings.CutPrefix(short[i], path.Clean(p)+"/"); ok && path.IsAbs(name) {
				short[i] = rest
				break
			}
		}
	}
	return short
}
