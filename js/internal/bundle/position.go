package bundle

import (
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/jsload/jsload/js/internal/source"
)

// sourceURL gives the address of a source by the name it has in esbuild's map,
// or GlueFile for code that stands in no file.
func (b *builder) sourceURL(name string) string {
	if u, ok := strings.CutPrefix(name, nsRemote+":"); ok {
		return u
	}
	if strings.HasPrefix(name, nsBuiltin+":") || strings.HasPrefix(name, nsLibrary+":") || strings.HasPrefix(name, nsGlue+":") {
		return GlueFile
	}
	if source.Scheme(name) != "" {
		return name // from the source map of a package
	}
	path, err := url.PathUnescape(name)
	if err != nil {
		path = name
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(b.dir, path)
	}
	return source.FileURL(path)
}

// point turns esbuild's map into one that goja reads right.
//
// goja's columns count from 1, those of a map from 0, and goja looks up the one
// in the other: it finds whatever stands one column further, and reports a
// column that is one too low. For JavaScript both sides are moved by one, and
// places are added, since esbuild maps names and values but not the brackets and
// operators that goja reports for calls and accesses. TypeScript keeps esbuild's
// map as it is: tools that strip types alone report these columns.
//
// Each line gets at least one segment, because goja would otherwise take the
// last of the line before.
func (b *builder) point(m *mapping, lines []string) {
	glue := int32(len(m.sources))
	files := make([]*file, len(m.sources)+1)
	shift := make([]bool, len(m.sources)+1)
	for i, name := range m.sources {
		u := b.sourceURL(name)
		m.sources[i] = u
		f := b.files[u]
		if u == GlueFile {
			continue
		}
		typed := f != nil && (f.loader == api.LoaderTS || f.loader == api.LoaderTSX)
		shift[i] = !typed
		if !typed && f != nil && !inNodeModules(u) {
			files[i] = f
		}
	}
	m.sources = append(m.sources, GlueFile)
	texts := make([][]string, len(files))
	for i, line := range m.lines {
		m.lines[i] = b.pointLine(line, lines[i], m.sources, files, texts, shift)
		if len(m.lines[i]) == 0 {
			m.lines[i] = []segment{{source: glue, col: 1}}
		}
	}
}

// pointLine does the work of point for one line. texts caches the lines of each
// file.
func (b *builder) pointLine(line []segment, generated string, sources []string, files []*file, texts [][]string, shift []bool) []segment {
	var out []segment
	for j, s := range line {
		switch {
		case sources[s.source] == GlueFile:
			continue
		case !shift[s.source]:
			if s.line == 0 && s.col == 0 {
				s.col = 1 // goja's reader drops segments of line 1, column 0
			}
			out = append(out, s)
			continue
		}
		out = append(out, segment{gen: s.gen + 1, source: s.source, line: s.line, col: s.col + 1})
		f := files[s.source]
		if f == nil {
			continue
		}
		if texts[s.source] == nil {
			texts[s.source] = strings.Split(string(f.src), "\n")
		}
		if int(s.line) >= len(texts[s.source]) {
			continue
		}
		end := int32(len(generated))
		if j+1 < len(line) {
			end = line[j+1].gen
		}
		out = densify(out, s, generated, end, texts[s.source][s.line])
	}
	return out
}

// densify adds a segment for each token between one segment and the next, as
// long as the generated text goes on like the source.
func densify(out []segment, s segment, generated string, end int32, text string) []segment {
	i, j := int(s.gen), int(s.col)
	for i < int(end) && i < len(generated) && j < len(text) {
		c, d := generated[i], text[j]
		switch {
		case c == ' ':
			i++
			continue
		case d == ' ' || d == '\t':
			j++
			continue
		case c >= utf8.RuneSelf || d >= utf8.RuneSelf:
			return out // bytes are no columns any more
		case c != d && !(isQuote(c) && isQuote(d)):
			return out
		}
		if i > int(s.gen) && (!isNameByte(c) || !isNameByte(generated[i-1])) {
			out = append(out, segment{gen: int32(i) + 1, source: s.source, line: s.line, col: int32(j) + 1})
		}
		i++
		j++
	}
	return out
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// lineFrom gives the rest of the source line from a segment's place on.
func lineFrom(src []byte, s segment) string {
	text := string(src)
	for range s.line {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return ""
		}
		text = rest
	}
	text, _, _ = strings.Cut(text, "\n")
	return fromColumn(text, s.col)
}
