// Package file is the file that a sink writes to: plain, compressed, or standard
// output. The sinks of lines use it. It does not buffer or format.
package file

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// File is an open destination.
type File struct {
	name string
	out  io.Writer
	// zip and disk are nil where there is no compression or no file of ours.
	zip  *gzip.Writer
	disk *os.File
}

// Name returns the file that Create would open, empty for standard output.
func Name(name string) string {
	if name == "-" {
		return ""
	}
	return name
}

// Create opens a destination by name: "" and "-" are standard output, names that
// end in .gz are compressed. An existing file is truncated; folders are not made.
func Create(name string, stdout io.Writer) (*File, error) {
	if Name(name) == "" {
		return &File{name: "standard output", out: stdout}, nil
	}
	disk, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	f := &File{name: name, out: disk, disk: disk}
	if strings.HasSuffix(name, ".gz") {
		f.zip = gzip.NewWriter(disk)
		f.out = f.zip
	}
	return f, nil
}

// Write writes all of b. Errors name the file.
func (f *File) Write(b []byte) (int, error) {
	n, err := f.out.Write(b)
	return n, f.named(err)
}

// Close completes the file. Standard output stays open.
func (f *File) Close() error {
	var errs []error
	if f.zip != nil {
		errs = append(errs, f.named(f.zip.Close()))
	}
	if f.disk != nil {
		errs = append(errs, f.disk.Close())
	}
	return errors.Join(errs...)
}

// named adds the name to errors that lack it.
func (f *File) named(err error) error {
	if err == nil || errors.As(err, new(*os.PathError)) {
		return err
	}
	return fmt.Errorf("write %s: %w", f.name, err)
}
