// Package secret gives scripts the secrets of a test and keeps them out of what
// the process writes.
//
// js opens a Store from what the user named with --secret-source; the module
// k6/secrets asks it. The command line's log and the metrics hide what its
// Redactor knows. It calls nothing of ours and knows nothing of scripts.
package secret

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
)

// Source holds secrets by key. It is safe for concurrent use.
type Source interface {
	// Get returns a secret. ErrNoKey is in the error if there is none of that key.
	Get(ctx context.Context, key string) (string, error)
	// Known returns a secret if that takes no wait.
	Known(key string) (string, bool)
}

// ErrNoKey says that a source has no secret of a key.
var ErrNoKey = errors.New("there is no secret of this key")

// Config is what sources are opened with.
type Config struct {
	// Dir is the folder that relative paths count from.
	Dir string
	// Vars are the variables of the process: the url source has settings there.
	Vars map[string]string
	// Client fetches secrets; nil means http.DefaultClient.
	Client *http.Client
	// UserAgent is sent with that.
	UserAgent string
	// Redactor learns every secret before a script does. Required.
	Redactor *Redactor
}

// path makes a path absolute.
func (c *Config) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(c.Dir, name)
}

// Store holds the sources of a test by name. A nil Store has none.
type Store struct {
	byName   map[string]Source
	standard Source
}

// Open opens the sources of a list of specifications (see ParseSpec). A single
// source is the default one; of several, that which says so, if any.
func Open(specs []string, cfg Config) (*Store, error) {
	s := &Store{byName: make(map[string]Source)}
	for _, text := range specs {
		if err := s.add(text, &cfg, len(specs) == 1); err != nil {
			return nil, fmt.Errorf("secret source %q: %w", kindOf(text), err)
		}
	}
	return s, nil
}

func (s *Store) add(text string, cfg *Config, only bool) error {
	spec, err := ParseSpec(text)
	if err != nil {
		return err
	}
	if _, taken := s.byName[spec.Name]; taken {
		return fmt.Errorf("the name %q is taken by another source; give this one a name=NAME of its own", spec.Name)
	}
	if spec.Default && s.standard != nil {
		return errors.New("two sources are marked as default")
	}
	source, err := open(&spec, cfg)
	if err != nil {
		return err
	}
	s.byName[spec.Name] = source
	if spec.Default || only {
		s.standard = source
	}
	return nil
}

func open(spec *Spec, cfg *Config) (Source, error) {
	switch spec.Kind {
	case "file":
		return openFile(spec, cfg)
	case "mock":
		return openMock(spec, cfg), nil
	case "url":
		return openURL(spec, cfg)
	case "cloud":
		return nil, errors.New("jsload has no vendor cloud; use file, mock or url")
	}
	return nil, errors.New("there is no such kind of source; use file, mock or url")
}

// Source returns the source of a name, or the default one for an empty name.
func (s *Store) Source(name string) (Source, error) {
	switch {
	case s == nil || len(s.byName) == 0:
		return nil, errors.New("no secret source is configured; name one with --secret-source")
	case name != "":
		if source := s.byName[name]; source != nil {
			return source, nil
		}
		return nil, fmt.Errorf("there is no secret source named %q", name)
	case s.standard == nil:
		return nil, errors.New("none of the secret sources is the default one; mark one with 'default', or ask one by its name")
	}
	return s.standard, nil
}

// fixed is a source whose secrets are all known from the start.
type fixed map[string]string

// Get returns a secret.
func (f fixed) Get(_ context.Context, key string) (string, error) {
	if v, ok := f[key]; ok {
		return v, nil
	}
	return "", fmt.Errorf("%w: %q", ErrNoKey, key)
}

// Known returns a secret.
func (f fixed) Known(key string) (string, bool) {
	v, ok := f[key]
	return v, ok
}

// newFixed makes a source and tells the redactor of all that is in it.
func newFixed(pairs []pair, r *Redactor) fixed {
	f := make(fixed, len(pairs))
	for _, p := range pairs {
		f[p.key] = p.value
		r.Add(p.value)
	}
	return f
}
