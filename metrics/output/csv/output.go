// Package csv is the sink of --out csv: a row per sample, with a column per
// system tag, in a file, a compressed file or on standard output.
//
// output/all registers it and the pump calls it. It knows nothing of aggregates.
package csv

import (
	"errors"
	"io"

	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/output/internal/file"
)

// Kind describes the sink: csv, csv=FILE, csv=fileName=FILE,saveInterval=1s,
// timeFormat=unix. Without a name the file is file.csv.
func Kind() output.Kind {
	return output.Kind{Name: "csv", New: func(p output.Params) (output.Output, error) {
		c, err := configure(p)
		if err != nil {
			return nil, err
		}
		return &Output{config: c, stdout: p.Stdout}, nil
	}}
}

// writeSize is how much text is gathered before it is written.
const writeSize = 64 << 10

// Output writes rows. Make one through Kind.
type Output struct {
	config config
	stdout io.Writer

	file    *file.File
	encoder *encoder
	failed  bool
}

// File returns the name of the file, empty for standard output.
func (o *Output) File() string { return file.Name(o.config.name) }

// Start creates the file. The head is written with the first batch.
func (o *Output) Start(run output.Run) (output.Needs, error) {
	f, err := file.Create(o.config.name, o.stdout)
	if err != nil {
		return output.Needs{}, err
	}
	o.file, o.encoder = f, newEncoder(run, o.config.format)
	o.encoder.head()
	return output.Needs{Samples: true, Every: o.config.interval}, nil
}

// Write writes a row per sample.
func (o *Output) Write(b output.Batch) error {
	for i := range b.Samples {
		o.encoder.row(&b.Samples[i])
		if len(o.encoder.b) >= writeSize {
			if err := o.flush(); err != nil {
				return err
			}
		}
	}
	return o.flush()
}

func (o *Output) flush() error {
	if len(o.encoder.b) == 0 {
		return nil
	}
	_, err := o.file.Write(o.encoder.b)
	o.encoder.b = o.encoder.b[:0]
	o.failed = o.failed || err != nil
	return err
}

// Stop closes the file. What closing has to say after a failed write is no news.
func (o *Output) Stop() error {
	if o.file == nil {
		return errors.New("not started")
	}
	err := o.file.Close()
	if o.failed {
		return nil
	}
	return err
}
