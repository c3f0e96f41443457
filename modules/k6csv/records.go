package k6csv

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// settings are a script's options. Records count from 0, the first line included.
type settings struct {
	delimiter string
	skipFirst bool
	asObjects bool
	from      int
	to        int // inclusive
}

func (s *settings) check() error {
	r, n := utf8.DecodeRuneInString(s.delimiter)
	switch {
	case n == 0 || n != len(s.delimiter) || r == '"' || r == '\n' || r == '\r' || r == utf8.RuneError:
		return errors.New("the delimiter must be one character, and no quote or line end")
	case s.from < 0 || s.to < 0:
		return errors.New("fromLine and toLine must not be negative")
	case s.from > s.to:
		return errors.New("fromLine must not be greater than toLine")
	}
	return nil
}

// records reads the records that the settings ask for.
type records struct {
	settings
	reader  reader
	columns []string // names, with asObjects
	number  int      // of the next record
	started bool
}

// newRecords reads from the content of a file, which must not change.
func newRecords(data []byte, s settings) *records {
	text := strings.TrimPrefix(unsafe.String(unsafe.SliceData(data), len(data)), "\ufeff")
	return &records{settings: s, reader: reader{text: text, delimiter: s.delimiter}}
}

// start reads the names of columns and goes to the first record.
func (r *records) start() error {
	r.started = true
	if r.asObjects {
		columns, err := r.reader.next(nil)
		if err != nil && err != io.EOF {
			return err
		}
		r.columns, r.number = columns, 1
	}
	first := r.from
	if r.skipFirst {
		first = max(first, 1)
	}
	for r.number < first {
		if _, err := r.reader.next(nil); err != nil {
			return err
		}
		r.number++
	}
	return nil
}

// next appends the fields of the next record. It gives io.EOF behind the last.
func (r *records) next(fields []string) ([]string, error) {
	if !r.started {
		if err := r.start(); err != nil {
			return fields, err
		}
	}
	if r.number > r.to || !r.reader.skipEmpty() {
		return fields, io.EOF
	}
	line := r.reader.line + 1
	fields, err := r.reader.next(fields)
	if err != nil {
		return fields, err
	}
	r.number++
	if r.asObjects && len(fields) != len(r.columns) {
		return fields, &syntaxError{line, fmt.Sprintf("there are %d fields, but %d columns have a name in the first line", len(fields), len(r.columns))}
	}
	return fields, nil
}

// table is what parse makes of a file: where each record begins. A record is taken
// apart when a script reads it, so that a table is hardly more than the file.
type table struct {
	reader  reader
	columns []string // nil for arrays
	starts  []uint32
	width   int // the most fields of a record
}

// errTooLarge is for a file that the positions of a table cannot reach.
var errTooLarge = errors.New("the file is larger than 4 GiB")

// newTable finds and checks all records.
func newTable(data []byte, s settings) (*table, error) {
	if len(data) > math.MaxUint32 {
		return nil, errTooLarge
	}
	r := newRecords(data, s)
	t := &table{}
	var fields []string
	err := r.start()
	for err == nil {
		r.reader.skipEmpty()
		at := uint32(r.reader.pos)
		if fields, err = r.next(fields[:0]); err == nil {
			t.starts = append(t.starts, at)
			t.width = max(t.width, len(fields))
		}
	}
	if err != io.EOF {
		return nil, err
	}
	t.reader, t.columns, t.starts = r.reader, r.columns, slices.Clip(t.starts)
	return t, nil
}

// row returns the fields of a record.
func (t *table) row(i int) []string {
	r := t.reader
	r.pos = int(t.starts[i])
	fields, _ := r.next(make([]string, 0, t.width)) // newTable has read it before
	return fields
}
