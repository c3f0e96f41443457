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
	"weak"
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

// node is what a handle points to. Nothing but note and steps changes after it is
// made, and neither changes what the set is.
type node struct {
	table *Table
	tags  []Tag
	hash  uint64
	note  atomic.Pointer[Note]
	steps atomic.Pointer[steps]
}

// steps remembers where With led from a node, so that a step taken often costs a
// comparison instead of a look into the table. A place is taken over only when the
// new step had to be made anyway; otherwise values that share a place would
// allocate in turn.
type steps [8]atomic.Pointer[step]

// step holds its goal weakly: a chain of steps (a script that sets a tag to a new
// value in every iteration) must not keep alive what nobody else uses.
type step struct {
	Tag
	to weak.Pointer[node]
}

// place chooses by what is cheap to read and likely to differ: the ends and lengths.
func (s *steps) place(key, value string) *atomic.Pointer[step] {
	h := len(key) + 3*len(value)
	if len(value) > 0 {
		h += 5 * int(value[len(value)-1])
	}
	return &s[h%len(s)]
}

// follow returns the node to which a remembered step leads, or nil.
func (n *node) follow(key, value string) *node {
	if all := n.steps.Load(); all != nil {
		if st := all.place(key, value).Load(); st != nil && st.Key == key && st.Value == value {
			return st.to.Value()
		}
	}
	return nil
}

// remember keeps a step if its place is free or the node it leads to is new.
func (n *node) remember(key, value string, to *node, isNew bool) {
	all := n.steps.Load()
	if all == nil {
		n.steps.CompareAndSwap(nil, new(steps))
		all = n.steps.Load()
	}
	p := all.place(key, value)
	if old := p.Load(); isNew || old == nil || old.to.Value() == nil {
		p.Store(&step{Tag{key, value}, weak.Make(to)})
	}
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
	if s.n != nil {
		if to := s.n.follow(key, value); to != nil {
			return Set{to}
		}
	}
	if s.Has(key, value) {
		return s
	}
	to, isNew := s.extend(Tag{key, value})
	if s.n != nil {
		s.n.remember(key, value, to.n, isNew)
	}
	return to
}

// Extend returns the set with all these tags added or replaced. Where a key
// comes twice the later one holds.
func (s Set) Extend(more ...Tag) Set {
	if len(more) > fewTags {
		to, _ := s.extend(more...)
		return to
	}
	for _, t := range more {
		s = s.With(t.Key, t.Value)
	}
	return s
}

// fewTags is up to how many tags remembered steps are faster than one look into
// the table.
const fewTags = 4

// extend also tells whether the table did not know the set.
func (s Set) extend(more ...Tag) (Set, bool) {
	var room [stackTags]Tag
	merged := append(room[:0], s.slice()...)
	sum := s.hash()
	table := s.table()
	for _, t := range more {
		t = table.hidden(t)
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
	to, _ := s.n.table.intern(s.n.hash-s.n.table.hash(s.n.tags[i]), rest)
	return to
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
