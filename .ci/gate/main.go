// Command gate runs the conformance corpus against a jsload binary and holds the
// outcome against the list of pending cases.
//
// CI and make conformance call it; it builds and calls the corpus's own runner. A
// case that fails must be on the list with a reason, and a case on the list must
// fail: otherwise the list would hide what broke, or say less than is true. What
// contradicts the list is run once more, alone, before it counts.
//
// It does not judge behaviour; the runner does.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	var g gate
	flag.StringVar(&g.bin, "bin", "bin/jsload", "the binary under test")
	flag.StringVar(&g.corpus, "corpus", "../shared/conformance", "folder of the corpus")
	flag.StringVar(&g.pendingFile, "pending", ".ci/conformance-pending.txt", "list of cases that are to fail")
	flag.StringVar(&g.areasFile, "areas", ".ci/conformance-areas.txt", "reasons for new entries of the list, by area")
	flag.StringVar(&g.differsDoc, "differs", "docs/compatibility.md", "document that explains each case listed as differs")
	flag.StringVar(&g.only, "only", "", "regular expression over AREA/NAME")
	flag.IntVar(&g.parallel, "p", 4, "cases at once in the first run")
	update := flag.Bool("update", false, "write the list anew from this run instead of judging it")
	flag.Parse()
	g.out = os.Stdout
	if err := g.main(*update); err != nil {
		fmt.Fprintln(os.Stderr, "gate:", err)
		os.Exit(1)
	}
}

// main runs the corpus, or says that it is not there.
func (g *gate) main(update bool) error {
	if _, err := os.Stat(filepath.Join(g.corpus, "cases")); errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(g.out, "conformance: no corpus at %s, nothing to check\n", g.corpus)
		return nil
	}
	temp, err := os.MkdirTemp("", "jsload-gate-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	if g.run, err = buildRunner(g.corpus, g.bin, temp); err != nil {
		return err
	}
	if update {
		return g.update()
	}
	return g.check()
}
