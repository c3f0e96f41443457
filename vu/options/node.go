package options

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml"
)

// kind is the kind of a JSON value.
type kind string

const (
	kindNull   kind = "null"
	kindBool   kind = "a boolean"
	kindNumber kind = "a number"
	kindString kind = "a string"
	kindObject kind = "an object"
	kindArray  kind = "a list"
)

// node is a JSON value in document order, with numbers as they were written:
// that 1.5 is no whole number and 1e3 is a thousand can be told only from that.
type node struct {
	kind  kind
	text  string   // of booleans, numbers and strings
	keys  []string // of an object, as many as items
	items []node   // values of an object or an array
}

// maxDepth bounds the nesting of options, so that decoding and encoding, which
// recurse, cannot exhaust the stack.
const maxDepth = 500

var errTooDeep = fmt.Errorf("nested more than %d levels deep", maxDepth)

// parseJSON reads one JSON document.
func parseJSON(data []byte) (node, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	root, err := readValue(decoder, 0)
	if err != nil {
		return node{}, positioned(err, decoder.InputOffset(), data)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return node{}, positioned(errors.New("there is more after the end of the document"), decoder.InputOffset(), data)
	}
	return root, nil
}

// positioned adds line and column of an offset to an error.
func positioned(err error, offset int64, data []byte) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	before := data[:min(int(offset), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

func readValue(decoder *json.Decoder, depth int) (node, error) {
	token, err := decoder.Token()
	if err != nil {
		return node{}, err
	}
	switch token := token.(type) {
	case json.Delim:
		if depth == maxDepth {
			return node{}, errTooDeep
		}
		return readContainer(decoder, token == '{', depth+1)
	case bool:
		return node{kind: kindBool, text: strconv.FormatBool(token)}, nil
	case json.Number:
		return node{kind: kindNumber, text: token.String()}, nil
	case string:
		return node{kind: kindString, text: token}, nil
	default:
		return node{kind: kindNull}, nil
	}
}

// readContainer reads an object or an array behind its opening bracket.
func readContainer(decoder *json.Decoder, object bool, depth int) (node, error) {
	n := node{kind: kindArray}
	if object {
		n.kind = kindObject
	}
	for decoder.More() {
		var key string
		if object {
			token, err := decoder.Token()
			if err != nil {
				return node{}, err
			}
			key, _ = token.(string) // the decoder admits nothing else here
		}
		value, err := readValue(decoder, depth)
		if err != nil {
			return node{}, err
		}
		n.add(key, value)
	}
	_, err := decoder.Token()
	return n, err
}

// add appends an element, or a member; of two members with one key the later
// counts.
func (n *node) add(key string, value node) {
	if n.kind == kindObject {
		if i := slices.Index(n.keys, key); i >= 0 {
			n.items[i] = value
			return
		}
		n.keys = append(n.keys, key)
	}
	n.items = append(n.items, value)
}

// member returns the value of a key; a missing one is null.
func (n node) member(key string) node {
	if i := slices.Index(n.keys, key); i >= 0 {
		return n.items[i]
	}
	return node{kind: kindNull}
}

// parseYAML reads one YAML document of the subset that JSON can express.
func parseYAML(data []byte) (node, error) {
	if nestsTooDeep(data) {
		return node{}, errTooDeep
	}
	var value any
	if err := yaml.UnmarshalWithOptions(data, &value, yaml.UseOrderedMap()); err != nil {
		return node{}, fmt.Errorf("not valid YAML: %w", err)
	}
	return fromYAML(value, 0)
}

// nestsTooDeep looks for nesting on which the YAML parser would take minutes or
// exhaust the stack: brackets, and lists that begin on one line ("- - - x"). It
// does not know quotes, so that text of hundreds of opening brackets is refused
// too.
func nestsTooDeep(data []byte) bool {
	brackets, dashes := 0, 0
	for _, c := range data {
		switch c {
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(0, brackets-1)
		case '-':
			dashes++
		case '\n':
			dashes = 0
		}
		if brackets > maxDepth || dashes > maxDepth {
			return true
		}
	}
	return false
}

func fromYAML(value any, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, errTooDeep
	}
	switch value := value.(type) {
	case nil:
		return node{kind: kindNull}, nil
	case bool:
		return node{kind: kindBool, text: strconv.FormatBool(value)}, nil
	case string:
		return node{kind: kindString, text: value}, nil
	case yaml.MapSlice:
		n := node{kind: kindObject}
		for _, item := range value {
			member, err := fromYAML(item.Value, depth+1)
			if err != nil {
				return node{}, err
			}
			n.add(fmt.Sprint(item.Key), member)
		}
		return n, nil
	case []any:
		n := node{kind: kindArray}
		for _, item := range value {
			element, err := fromYAML(item, depth+1)
			if err != nil {
				return node{}, err
			}
			n.add("", element)
		}
		return n, nil
	default:
		return numberOrText(value)
	}
}

// numberOrText takes the remaining scalars of YAML: numbers of several types;
// anything else, a date for example, is text.
func numberOrText(value any) (node, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return node{}, fmt.Errorf("%v has no form in JSON: %w", value, err)
	}
	n, err := parseJSON(text)
	if err != nil || (n.kind != kindNumber && n.kind != kindString) {
		return node{kind: kindString, text: fmt.Sprint(value)}, nil
	}
	return n, nil
}

// MarshalJSON gives the value back.
func (n node) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	if err := n.write(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (n node) write(out *bytes.Buffer) error {
	switch n.kind {
	case kindObject, kindArray:
		return n.writeContainer(out)
	case kindString:
		text, err := encode(n.text)
		out.Write(text)
		return err
	case kindBool, kindNumber:
		out.WriteString(n.text)
	default:
		out.WriteString("null")
	}
	return nil
}

func (n node) writeContainer(out *bytes.Buffer) error {
	brackets := "[]"
	if n.kind == kindObject {
		brackets = "{}"
	}
	out.WriteByte(brackets[0])
	for i, item := range n.items {
		if i > 0 {
			out.WriteByte(',')
		}
		if n.kind == kindObject {
			key, err := encode(n.keys[i])
			if err != nil {
				return err
			}
			out.Write(append(key, ':'))
		}
		if err := item.write(out); err != nil {
			return err
		}
	}
	out.WriteByte(brackets[1])
	return nil
}
