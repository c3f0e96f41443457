// Hot path: reading and extending a known set allocates nothing.

// Package tags interns sets of key/value pairs as small comparable handles.
//
// Package metrics calls it and exports Set as its TagSet. It calls nothing of
// ours. It does not know which tags exist or what they mean.
package tags

import (
	"iter"
	"slices"
	"strings"
	"sync/atomic"
)

// Tag is one pair of a set.
type Tag struct{ Key, Value string }

// Set is a handle on an immutable set of tags, sorted by key. The zero Set is
// empty. Two equal handles hold equal content; the reverse is true only while
// the table still remembers the older of the two, so compare with Equal where
// the answer must be exact and with == where a miss merely costs time.
//
// A set grown from the zero Set belongs to no table: it works, but each step
// allocates. Sets that are used per request begin at Table.Empty.
type Set struct{ n *node }

// node is what a handle points to. Nothing but note changes after it is made.
type node struct {
	table *Table
	tags  []Tag
	hash  uint64
	note  atomic.Pointer[Note]
}

// Note is what the reader of a set remembers about it, so that work which
// depends only on the tags is done once per set and dies with it.
type Note struct {
	// Owner tells whose note it is; a note of another owner counts as none.
	Owner any
	Value any
}

// Len returns the number of tags.
func (s Set) Len() int {
	if s.n == nil {
		return 0
	}
	return len(s.n.tags)
}

// Get returns the value of key and whether the set has it.
func (s Set) Get(key string) (string, bool) {
	if s.n == nil {
		return "", false
	}
	if i, ok := find(s.n.tags, key); ok {
		return s.n.tags[i].Value, true
	}
	return "", false
}

// Has tells whether the set holds exactly this pair.
func (s Set) Has(key, value string) bool {
	v, ok := s.Get(key)
	return ok && v == value
}

// All yields the tags in the order of their keys.
func (s Set) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, t := range s.slice() {
			if !yield(t.Key, t.Value) {
				return
			}
		}
	}
}

// Map returns the tags as a new map.
func (s Set) Map() map[string]string {
	m := make(map[string]string, s.Len())
	for _, t := range s.slice() {
		m[t.Key] = t.Value
	}
	return m
}

// Equal tells whether both sets hold the same tags.
func (s Set) Equal(o Set) bool {
	return s.n == o.n || slices.Equal(s.slice(), o.slice())
}

// String renders the set as k=v pairs joined by commas.
func (s Set) String() string {
	var b strings.Builder
	for i, t := range s.slice() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(t.Key)
		b.WriteByte('=')
		b.WriteString(t.Value)
	}
	return b.String()
}

// With returns the set in which key has this value, added or replaced.
func (s Set) With(key, value string) Set {
	if v, ok := s.Get(key); ok && v == value {
		return s
	}
	return s.Extend(Tag{key, value})
}

// Extend returns the set with all these tags added or replaced. Where a key
// comes twice the later one holds.
func (s Set) Extend(more ...Tag) Set {
	if len(more) == 0 {
		return s
	}
	var room [stackTags]Tag
	merged := append(room[:0], s.slice()...)
	sum := s.hash()
	table := s.table()
	for _, t := range more {
		i, found := find(merged, t.Key)
		if found {
			sum -= table.hash(merged[i])
			merged[i].Value = t.Value
		} else {
			merged = slices.Insert(merged, i, t)
		}
		sum += table.hash(t)
	}
	return table.intern(sum, merged)
}

// Without returns the set that lacks key.
func (s Set) Without(key string) Set {
	i, found := find(s.slice(), key)
	if !found {
		return s
	}
	var room [stackTags]Tag
	rest := append(room[:0], s.n.tags[:i]...)
	rest = append(rest, s.n.tags[i+1:]...)
	return s.n.table.intern(s.n.hash-s.n.table.hash(s.n.tags[i]), rest)
}

// Note returns what owner left with SetNote, or nil.
func (s Set) Note(owner any) any {
	if s.n == nil {
		return nil
	}
	if n := s.n.note.Load(); n != nil && n.Owner == owner {
		return n.Value
	}
	return nil
}

// SetNote leaves a value for Note, replacing any other. The zero Set keeps none.
func (s Set) SetNote(owner, value any) {
	if s.n != nil {
		s.n.note.Store(&Note{owner, value})
	}
}

func (s Set) slice() []Tag {
	if s.n == nil {
		return nil
	}
	return s.n.tags
}

func (s Set) table() *Table {
	if s.n == nil {
		return nil
	}
	return s.n.table
}

func (s Set) hash() uint64 {
	if s.n == nil {
		return 0
	}
	return s.n.hash
}

// stackTags is how many tags a set may have before extending it needs the
// heap: a request has about a dozen.
const stackTags = 24

// find returns where key is or would be. Sets are short, so a linear walk
// beats a binary search.
func find(tags []Tag, key string) (int, bool) {
	for i := range tags {
		if tags[i].Key >= key {
			return i, tags[i].Key == key
		}
	}
	return len(tags), false
}
