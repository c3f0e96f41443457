// Hot path: a tag set that is known is found without an allocation.

// Package tagcache remembers the encoded form of tag sets, so that a sink encodes
// the tags of a steady request once. The sinks of lines use it.
package tagcache

import "github.com/jsload/jsload/metrics"

// Cache maps tag sets to bytes. Make one with New. Not safe for concurrent use.
type Cache struct {
	encode func([]byte, metrics.TagSet) []byte
	limit  int
	// young is being filled; old is the generation before, which is dropped
	// when young is full. So a stream of unique sets cannot grow the cache, and
	// sets in use survive it.
	young, old map[metrics.TagSet][]byte
}

// New returns a cache of at most 2*limit sets, which encodes with a function that
// appends.
func New(limit int, encode func([]byte, metrics.TagSet) []byte) *Cache {
	return &Cache{encode: encode, limit: limit, young: make(map[metrics.TagSet][]byte)}
}

// Append appends the encoded form of a set to b.
func (c *Cache) Append(b []byte, set metrics.TagSet) []byte {
	if text, ok := c.young[set]; ok {
		return append(b, text...)
	}
	text, ok := c.old[set]
	if !ok {
		text = c.encode(nil, set)
	}
	if len(c.young) >= c.limit {
		c.old, c.young = c.young, make(map[metrics.TagSet][]byte, c.limit)
	}
	c.young[set] = text
	return append(b, text...)
}

// Len returns how many sets are remembered.
func (c *Cache) Len() int { return len(c.young) + len(c.old) }
