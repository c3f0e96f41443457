package metrics

import "github.com/jsload/jsload/metrics/internal/tags"

// TagSet is a handle on an immutable set of tags sorted by key; the zero TagSet
// is empty. It is grown with With, Extend and Without and read with Get, Has,
// Len, All and Map. Equal handles hold equal tags; Equal compares content.
// Sets that are extended per request begin at Registry.Tags, which interns them.
type TagSet = tags.Set

// Tag is one pair of a TagSet.
type Tag = tags.Tag
