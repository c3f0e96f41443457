package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/jsload/jsload/metrics/output"
)

// writtenFile is a file that a flag lets the command write.
type writtenFile struct {
	flag, path string
	// appends tells that lines are added at the end: two may share such a file.
	appends bool
}

// readFile is a file that the command reads.
type readFile struct{ what, path string }

// readFiles are the files that must not be written to.
func (a *app) readFiles() []readFile {
	var files []readFile
	for _, s := range a.scripts {
		files = append(files, readFile{"the script", s})
	}
	config := a.global.config
	if config == "" {
		config = a.defaultConfig()
	}
	if config != "" {
		files = append(files, readFile{"the configuration file", config})
	}
	return files
}

// refuseConflicts returns an error if a file would be overwritten that the test
// is made of, or if two flags name one file.
func (a *app) refuseConflicts(writes []writtenFile) error {
	for i, w := range writes {
		for _, r := range a.readFiles() {
			if a.sameFile(w.path, r.path) {
				return configError(fmt.Errorf("%s would overwrite %s %s: name another file", w.flag, r.what, r.path))
			}
		}
		for _, other := range writes[:i] {
			if a.sameFile(w.path, other.path) && !(w.appends && other.appends) {
				return configError(fmt.Errorf("%s and %s would write to one file: name two", other.flag, w.flag))
			}
		}
	}
	return nil
}

// sameFile reports whether two paths lead to one file. Devices can be written to
// by many.
func (a *app) sameFile(x, y string) bool {
	if x == "" || y == "" {
		return false
	}
	x, y = filepath.Clean(a.process.Path(x)), filepath.Clean(a.process.Path(y))
	one, err := os.Stat(x)
	if err != nil {
		return x == y
	}
	other, err := os.Stat(y)
	return err == nil && one.Mode().IsRegular() && os.SameFile(one, other)
}

// fileName returns a name, empty for the one of standard output.
func fileName(name string) string {
	if name == "-" {
		return ""
	}
	return name
}

// logFiles are the files that log lines go to.
func (a *app) logFiles() []writtenFile {
	var files []writtenFile
	for _, f := range a.global.logConfig(a.process).LogFiles() {
		files = append(files, writtenFile{flag: f[0], path: f[1], appends: true})
	}
	return files
}

// refuseConflicts looks at all files that a run writes.
func (s *session) refuseConflicts() error {
	writes := s.app.logFiles()
	for _, sink := range s.sinks {
		if f, ok := sink.Output.(output.ToFile); ok {
			writes = append(writes, writtenFile{flag: "--out " + sink.Name, path: f.File()})
		}
	}
	if path := s.flags.summaryExport; path != "" {
		writes = append(writes, writtenFile{flag: "--summary-export " + path, path: path})
	}
	return s.app.refuseConflicts(writes)
}
