package env

import (
	"io"
	"sync/atomic"
)

// OutliveReaders lets the process go on when nobody reads standard output or
// standard error any more, because a pipe or the terminal was closed: what is
// written from then on is dropped without an error. A test has a teardown to run
// and files to complete. Other commands do as is usual, and end.
func (p *Process) OutliveReaders() {
	if p.catchPipe != nil {
		p.catchPipe()
	}
	p.Stdout.Writer = &outliving{w: p.Stdout.Writer, tty: p.Stdout.TTY}
	p.Stderr.Writer = &outliving{w: p.Stderr.Writer, tty: p.Stderr.TTY}
}

// outliving is a stream that drops what is written once its reader has gone.
type outliving struct {
	w    io.Writer
	tty  bool
	gone atomic.Bool
}

// Write implements io.Writer.
func (o *outliving) Write(p []byte) (int, error) {
	if o.gone.Load() {
		return len(p), nil
	}
	n, err := o.w.Write(p)
	if err != nil && readerGone(err, o.tty) {
		o.gone.Store(true)
		return len(p), nil
	}
	return n, err
}
