// Hot path: finding a known set allocates nothing.

package tags

import (
	"hash/maphash"
	"slices"
	"sync"
)

const (
	// stripes spreads the table's locks; a power of two.
	stripes = 16
	// youngLimit is how many sets one generation of one stripe remembers. Two
	// generations of 16 stripes hold 8,192 sets, some 5 MB with a dozen tags each.
	youngLimit = 256
)

// Table remembers the sets in use, so that equal content gets equal handles.
//
// It is a cache of two generations: a set that is not asked for while a whole
// generation fills is forgotten. Its handles stay valid and are collected with
// their last user, so a stream of unique values (URLs with ids) never grows the
// table. Safe for concurrent use. A nil Table interns nothing.
type Table struct {
	seed  maphash.Seed
	hide  func(string) string // nil: nothing is hidden
	empty *node
	parts [stripes]stripe
	seen  distinct
}

type stripe struct {
	mu         sync.Mutex
	young, old map[uint64]*node
}

// NewTable returns a table that knows only the empty set.
func NewTable() *Table {
	t := &Table{seed: maphash.MakeSeed()}
	t.empty = &node{table: t}
	for i := range t.parts {
		t.parts[i].young = make(map[uint64]*node)
	}
	return t
}

// Hide makes the table keep, in place of each key and value, what f gives for it.
// It is called before the table is used.
func (t *Table) Hide(f func(string) string) { t.hide = f }

// hidden is a tag as the table keeps it.
func (t *Table) hidden(tag Tag) Tag {
	if t == nil || t.hide == nil {
		return tag
	}
	return Tag{t.hide(tag.Key), t.hide(tag.Value)}
}

// Empty returns the empty set from which interned sets grow.
func (t *Table) Empty() Set { return Set{t.empty} }

// Len returns how many sets are remembered.
func (t *Table) Len() int {
	total := 0
	for i := range t.parts {
		p := &t.parts[i]
		p.mu.Lock()
		total += len(p.young) + len(p.old)
		p.mu.Unlock()
	}
	return total
}

// Distinct returns about how many different sets there have been.
func (t *Table) Distinct() int { return t.seen.count() }

// hash of a set is the sum of its tags' hashes: the order of adding does not
// matter and one tag can be exchanged without hashing the others.
func (t *Table) hash(tag Tag) uint64 {
	if t == nil {
		return 0
	}
	k, v := maphash.String(t.seed, tag.Key), maphash.String(t.seed, tag.Value)
	h := (k ^ v>>32 ^ v<<32) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// intern returns the handle for tags, which is copied if it is new, and whether it
// is.
func (t *Table) intern(sum uint64, tags []Tag) (Set, bool) {
	if t == nil {
		return Set{&node{tags: slices.Clone(tags)}}, true
	}
	if len(tags) == 0 {
		return t.Empty(), false
	}
	n, isNew := t.parts[sum%stripes].intern(t, sum, tags)
	if isNew {
		t.seen.add(sum)
	}
	return Set{n}, isNew
}

func (p *stripe) intern(t *Table, sum uint64, tags []Tag) (n *node, isNew bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n = p.young[sum]; n != nil && slices.Equal(n.tags, tags) {
		return n, false
	}
	if n = p.old[sum]; n == nil || !slices.Equal(n.tags, tags) {
		n, isNew = &node{table: t, tags: slices.Clone(tags), hash: sum}, true
	}
	if len(p.young) >= youngLimit {
		p.old, p.young = p.young, make(map[uint64]*node, youngLimit)
	}
	p.young[sum] = n
	return n, isNew
}
