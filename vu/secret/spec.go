package secret

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Spec is what the user says of a source.
type Spec struct {
	// Kind is file, mock or url.
	Kind string
	// Name is how scripts ask for it; without a name of its own it has that of its
	// kind.
	Name    string
	Default bool

	// items are the other parts: key=value, or a text alone with an empty key.
	items []pair
}

type pair struct{ key, value string }

// kindOf returns what may be shown of a specification, which can hold secrets.
func kindOf(text string) string {
	kind, _, _ := strings.Cut(text, "=")
	return kind
}

// ParseSpec reads KIND[=ITEM,ITEM,...], where an item is name=NAME, the word
// default, or what the kind is about: key=value. A value in double quotes may hold
// commas. Errors show no values.
func ParseSpec(text string) (Spec, error) {
	kind, rest, _ := strings.Cut(text, "=")
	s := Spec{Kind: strings.TrimSpace(kind), Name: strings.TrimSpace(kind)}
	if s.Kind == "" {
		return s, errors.New("a source is KIND=..., where KIND is file, mock or url")
	}
	items, err := split(rest)
	if err != nil {
		return s, err
	}
	for _, item := range items {
		switch {
		case item.key == "name":
			s.Name = item.value
		case item == pair{value: "default"}:
			s.Default = true
		default:
			s.items = append(s.items, item)
		}
	}
	if s.Name == "" {
		return s, errors.New("the name of the source is empty")
	}
	return s, nil
}

// split cuts a list at its commas, and each item at its first equals sign.
func split(text string) ([]pair, error) {
	var items []pair
	for text != "" {
		end := strings.IndexAny(text, "=,")
		if end < 0 || text[end] == ',' {
			item, rest, _ := strings.Cut(text, ",")
			items, text = append(items, pair{value: item}), rest
			continue
		}
		value, rest, err := cutValue(text[end+1:])
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", len(items)+1, err)
		}
		items, text = append(items, pair{strings.TrimSpace(text[:end]), value}), rest
	}
	return items, nil
}

// cutValue takes a value off the front: up to a comma, or what is in quotes.
func cutValue(text string) (value, rest string, err error) {
	quoted, isQuoted := strings.CutPrefix(text, `"`)
	if !isQuoted {
		value, rest, _ = strings.Cut(text, ",")
		return value, rest, nil
	}
	var b strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '\\' && i+1 < len(quoted) && strings.IndexByte(`"\`, quoted[i+1]) >= 0:
			i++
			b.WriteByte(quoted[i])
		case c != '"':
			b.WriteByte(c)
		case i+1 == len(quoted):
			return b.String(), "", nil
		case quoted[i+1] == ',':
			return b.String(), quoted[i+2:], nil
		default:
			return "", "", errors.New("text stands behind the closing quote")
		}
	}
	return "", "", errors.New("a quote is not closed")
}

// openMock makes a source of the items themselves.
func openMock(spec *Spec, cfg *Config) Source {
	pairs := make([]pair, 0, len(spec.items))
	for _, item := range spec.items {
		if item.key == "" {
			item = pair{key: item.value}
		}
		pairs = append(pairs, item)
	}
	return newFixed(pairs, cfg.Redactor)
}

// openFile reads a file of lines key=value.
func openFile(spec *Spec, cfg *Config) (Source, error) {
	name := spec.fileName()
	if name == "" {
		return nil, errors.New("a file source needs the path of the file: file=PATH")
	}
	data, err := os.ReadFile(cfg.path(name))
	if err != nil {
		return nil, err
	}
	pairs, err := parseFile(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return newFixed(pairs, cfg.Redactor), nil
}

// fileName puts a path that was cut at commas and equals signs together again.
func (s *Spec) fileName() string {
	var parts []string
	for _, item := range s.items {
		switch item.key {
		case "filename", "path":
			return item.value
		case "":
			parts = append(parts, item.value)
		default:
			parts = append(parts, item.key+"="+item.value)
		}
	}
	return strings.Join(parts, ",")
}

// parseFile reads lines key=value. Empty lines and those that begin with # count
// for nothing. Errors show no values.
func parseFile(text string) ([]pair, error) {
	var pairs []pair
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if blank := strings.TrimSpace(line); blank == "" || blank[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.TrimSpace(key)
		if !ok || key == "" {
			return nil, fmt.Errorf("line %d is not key=value", n)
		}
		pairs = append(pairs, pair{key, value})
	}
	return pairs, nil
}
