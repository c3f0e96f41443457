package output

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Params is what a sink is made from.
type Params struct {
	// Argument is what follows "=" in --out KIND=ARGUMENT.
	Argument string
	// Setting looks a setting up, such as CSV_FILENAME for the environment
	// variables JSLOAD_CSV_FILENAME and K6_CSV_FILENAME. nil finds nothing.
	Setting func(name string) (string, bool)
	// Stdout is where sinks write that are asked for standard output.
	Stdout io.Writer
}

// Lookup is Setting, but for a nil function.
func (p Params) Lookup(name string) (string, bool) {
	if p.Setting == nil {
		return "", false
	}
	return p.Setting(name)
}

// Kind is one kind of sink.
type Kind struct {
	// Name is what users write after --out.
	Name string
	// New makes a sink; it opens nothing yet. It is nil for kinds that are known
	// by name only.
	New func(Params) (Output, error)
	// Refusal says why a kind without New cannot be used.
	Refusal string
}

// Registry holds the kinds of sinks. The zero value has none.
type Registry struct{ kinds []Kind }

// NewRegistry returns a registry of the kinds.
func NewRegistry(kinds ...Kind) Registry { return Registry{kinds} }

// Names returns the names of the kinds that can be used, sorted.
func (r Registry) Names() []string {
	var names []string
	for _, k := range r.kinds {
		if k.New != nil {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return names
}

// New makes the sink that a user asked for with --out KIND or KIND=ARGUMENT.
func (r Registry) New(spec string, p Params) (Sink, error) {
	name, argument, _ := strings.Cut(spec, "=")
	p.Argument = argument
	at := slices.IndexFunc(r.kinds, func(k Kind) bool { return k.Name == name })
	if at < 0 {
		return Sink{}, fmt.Errorf("unknown output %q: use one of %s", name, strings.Join(r.Names(), ", "))
	}
	kind := r.kinds[at]
	if kind.New == nil {
		return Sink{}, fmt.Errorf("the output %q %s; use one of %s", name, kind.Refusal, strings.Join(r.Names(), ", "))
	}
	out, err := kind.New(p)
	if err != nil {
		return Sink{}, fmt.Errorf("output %s: %w", spec, err)
	}
	return Sink{Name: spec, Output: out}, nil
}

// Sink is an output under the name that messages call it by.
type Sink struct {
	Name   string
	Output Output
}
