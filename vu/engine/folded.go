package engine

import (
	"fmt"

	"github.com/jsload/jsload/metrics"
)

// foldWarner says once of each kind of name that there are too many of them. What
// follows is no error: the numbers stay right, but some share a row.
type foldWarner struct {
	groups, checks, texts bool
	// tagSets is the number beyond which it warns next.
	tagSets int
}

// warnFolded looks at what the results do not keep apart. One goroutine calls it.
func (t *test) warnFolded(w *foldWarner) {
	f := t.Store.Folded()
	once := func(done *bool, now bool, format string, args ...any) {
		if now && !*done {
			*done = true
			t.Log.Warn(fmt.Sprintf(format, args...))
		}
	}
	once(&w.groups, f.Groups, "There are more than %d groups: the others share one, (other). Are their names made of data?", metrics.MaxGroups)
	once(&w.checks, f.Checks, "There are more than %d checks: the others share one in each group, (other). Are their names made of data?", metrics.MaxChecks)
	once(&w.texts, t.Recorder.ErrorsFolded(), "The errors of requests have too many different texts: some share one in tags and in the summary")
	if w.tagSets == 0 {
		w.tagSets = metrics.MaxTagSets
	}
	if f.TagSets > w.tagSets {
		t.Log.Warn(fmt.Sprintf("The samples have about %d different sets of tags, which is more than most outputs can bear. "+
			"Give requests whose URLs vary a common name, and do not make tags of data", f.TagSets))
		for f.TagSets > w.tagSets {
			w.tagSets *= 2
		}
	}
}
