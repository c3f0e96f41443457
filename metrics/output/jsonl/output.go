// Package jsonl is the sink of --out json: a line of JSON per metric and per
// sample, in a file, a compressed file or on standard output.
//
// output/all registers it and the pump calls it. It knows nothing of aggregates.
package jsonl

import (
	"errors"
	"io"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/output"
	"github.com/jsload/jsload/metrics/output/internal/file"
)

// Kind describes the sink: json, json=FILE, json=FILE.gz, json=-.
func Kind() output.Kind {
	return output.Kind{Name: "json", New: func(p output.Params) (output.Output, error) {
		return &Output{name: p.Argument, stdout: p.Stdout}, nil
	}}
}

// writeSize is how much text is gathered before it is written.
const writeSize = 64 << 10

// Output writes lines of JSON. Make one through Kind.
type Output struct {
	name   string
	stdout io.Writer

	file    *file.File
	encoder *encoder
	// seen are the metrics whose description has been written.
	seen   map[*metrics.Metric]bool
	failed bool
}

// File returns the name of the file, empty for standard output.
func (o *Output) File() string { return file.Name(o.name) }

// Start creates the file.
func (o *Output) Start(run output.Run) (output.Needs, error) {
	f, err := file.Create(o.name, o.stdout)
	if err != nil {
		return output.Needs{}, err
	}
	o.file, o.encoder, o.seen = f, newEncoder(run), make(map[*metrics.Metric]bool)
	return output.Needs{Samples: true}, nil
}

// Write writes a line per sample, and before the first of a metric the line that
// describes it.
func (o *Output) Write(b output.Batch) error {
	e := o.encoder
	for i := range b.Samples {
		s := &b.Samples[i]
		if !o.seen[s.Metric] {
			o.seen[s.Metric] = true
			e.metric(s.Metric)
		}
		e.point(s)
		if len(e.b) >= writeSize {
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
