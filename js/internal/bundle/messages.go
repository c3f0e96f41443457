package bundle

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/jsload/jsload/js/internal/source"
)

// nestingText stands for a nesting diagnostic in a message of the plugin.
const nestingText = "source nests too deeply"

func nestingDiagnostic(u string, src []byte, at int) *Diagnostic {
	return &Diagnostic{
		Message:  fmt.Sprintf("this nests more than %d levels deep", maxNesting),
		Location: locate(u, src, at, 1),
		Hint:     "no parser would survive it; put the data into a JSON file and read it with open()",
	}
}

var (
	unresolved = regexp.MustCompile(`^Could not resolve "(.*)"$`)
	noLoader   = regexp.MustCompile(`^No loader is configured for "(.*)" files: `)
)

// diagnostics turns esbuild's errors into ours. A wrong file is told once: what
// follows from it in other files would only hide it.
func (b *builder) diagnostics() []*Diagnostic {
	var list []*Diagnostic
	for i := range b.result.Errors {
		d := b.diagnostic(&b.result.Errors[i])
		if !slices.ContainsFunc(list, func(other *Diagnostic) bool { return other.Error() == d.Error() }) {
			list = append(list, d)
		}
	}
	return list
}

func (b *builder) warnings() []*Diagnostic {
	var list []*Diagnostic
	for i := range b.result.Warnings {
		d := b.diagnostic(&b.result.Warnings[i])
		if d.Location == nil || !inNodeModules(source.Path(d.Location.File)) {
			list = append(list, d)
		}
	}
	return append(list, b.stubWarnings()...)
}

func (b *builder) diagnostic(msg *api.Message) *Diagnostic {
	d := &Diagnostic{Message: msg.Text, Location: b.location(msg.Location)}
	switch detail := msg.Detail.(type) {
	case *Diagnostic:
		d = detail
	case string:
		d.Hint = detail
	default:
		b.explain(d, msg)
	}
	if d.Location != nil {
		d.Notes = append(d.Notes, b.chain(d.Location.File)...)
	}
	return d
}

// explain puts esbuild's words into those of a load test.
func (b *builder) explain(d *Diagnostic, msg *api.Message) {
	if m := unresolved.FindStringSubmatch(msg.Text); m != nil {
		d.Message, d.Hint = unresolvedText(m[1], d.Location)
		if b.cfg.Source.Virtual() {
			d.Message, d.Hint = fmt.Sprintf("the module %q is not in the archive", m[1]), ""
		}
		return
	}
	if m := missingExport.FindStringSubmatch(msg.Text); m != nil {
		spec := b.specifierAt(d.Location)
		d.Message = fmt.Sprintf("SyntaxError: The requested module %q does not provide an export named %q", spec, m[2])
		d.Thrown = true
	}
	if b.cfg.Source.Virtual() && strings.HasPrefix(msg.Text, "Could not resolve import(") {
		d.Hint = "files chosen by a pattern cannot be found in an archive; import each by its name"
	}
	if m := noLoader.FindStringSubmatch(msg.Text); m != nil {
		d.Message = fmt.Sprintf("%s files cannot be imported", m[1])
		d.Hint = "read the file with open() in the init code"
	}
	for _, n := range msg.Notes {
		if strings.Contains(n.Text, "esbuild") || strings.Contains(n.Text, "api.") {
			continue
		}
		d.Notes = append(d.Notes, Note{Message: n.Text, Location: b.location(n.Location)})
	}
	if msg.Location == nil || d.Hint != "" {
		return
	}
	if s := msg.Location.Suggestion; s != "" && !strings.HasPrefix(msg.Text, "Expected") {
		d.Hint = "write " + s
	}
	if b.isTypeScript(d.Location) {
		d.Hint = "this is TypeScript: end the name of the file in .ts"
	}
}

// isTypeScript tells whether a file that does not parse as JavaScript would as
// TypeScript.
func (b *builder) isTypeScript(at *Location) bool {
	f := b.files[at.File]
	if f == nil || f.loader != api.LoaderJS {
		return false
	}
	parses := func(loader api.Loader) bool {
		res := api.Transform(string(f.src), api.TransformOptions{Loader: loader, LogLevel: api.LogLevelSilent, LogLimit: 1})
		return len(res.Errors) == 0
	}
	return !parses(api.LoaderJS) && parses(api.LoaderTS)
}

// unresolvedText explains an import that leads nowhere.
func unresolvedText(spec string, at *Location) (text, hint string) {
	if source.IsRelative(spec) || filepath.IsAbs(spec) {
		where := spec
		if at != nil {
			if u, err := source.Resolve(at.File, spec); err == nil {
				where = source.Path(u)
			}
		}
		return fmt.Sprintf("the module %q does not exist (looked for %s)", spec, where), ""
	}
	name := spec
	if parts := strings.SplitN(spec, "/", 3); len(parts) > 1 {
		name = parts[0]
		if strings.HasPrefix(name, "@") {
			name += "/" + parts[1]
		}
	}
	return fmt.Sprintf("the package %q is not installed", spec),
		fmt.Sprintf("install it with: npm install %s; a file beside the script is imported as ./%s", name, spec)
}

// specifierAt gives the module named by the import statement around a place.
func (b *builder) specifierAt(at *Location) string {
	if at == nil {
		return ""
	}
	f := b.files[at.File]
	if f == nil {
		return ""
	}
	l := newLexer(f.src)
	from, offset := false, at.offset(f.src)
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if t.kind == tokString && from && t.start > offset {
			return string(unquote(l.text(t)))
		}
		from = l.is(t, "from")
	}
	return ""
}

// location translates esbuild's. Its names of files are relative to the folder
// of the build; lines of files that prepare has changed are shown as they were.
func (b *builder) location(loc *api.Location) *Location {
	if loc == nil {
		return nil
	}
	name := loc.File
	if loc.Namespace != "" && loc.Namespace != "file" && !strings.HasPrefix(name, loc.Namespace+":") {
		name = loc.Namespace + ":" + name
	}
	out := &Location{File: name, Line: loc.Line, Column: loc.Column + 1, Length: loc.Length, LineText: loc.LineText}
	u, ok := b.inputURL(name)
	if !ok && strings.HasPrefix(u, "file://") {
		out.File = u // package.json, tsconfig.json
	}
	if !ok {
		return out
	}
	out.File = u
	if f := b.files[u]; f != nil {
		lines := strings.SplitN(string(f.src), "\n", loc.Line+1)
		if loc.Line <= len(lines) {
			out.LineText = strings.TrimSuffix(lines[loc.Line-1], "\r")
		}
	}
	return out
}

// chain tells by which imports a file came in; nothing for the script itself.
func (b *builder) chain(file string) []Note {
	if file == b.cfg.Main.URL {
		return nil
	}
	b.mu.Lock()
	parents := map[string]string{b.cfg.Main.URL: ""}
	queue := []string{b.cfg.Main.URL}
	for len(queue) > 0 {
		for _, e := range b.edges[queue[0]] {
			target := b.probe(e.target)
			if _, seen := parents[target]; !seen {
				parents[target] = queue[0]
				queue = append(queue, target)
			}
		}
		queue = queue[1:]
	}
	b.mu.Unlock()
	var notes []Note
	for at := parents[file]; at != ""; at = parents[at] {
		notes = append(notes, Note{Message: "imported by " + at})
	}
	return notes
}

// probe gives the loaded file that an address without its ending stands for.
func (b *builder) probe(u string) string {
	if b.files[u] != nil {
		return u
	}
	for _, ending := range probed {
		if b.files[u+ending] != nil {
			return u + ending
		}
	}
	return u
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
