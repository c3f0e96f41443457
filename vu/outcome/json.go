package outcome

import (
	"encoding/json"
	"errors"
	"fmt"
)

// maxDepth is how deep JSON may be nested before readers that recurse refuse it.
const maxDepth = 10_000

// TooDeep tells whether a text is nested deeper than JSON may be. It is one pass
// without recursion, and says nothing else about the text.
func TooDeep(text []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString:
			switch c {
			case '\\':
				i++
			case '"':
				inString = false
			}
		case c == '"':
			inString = true
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

// JSONError says where a body stops being JSON; nil if it is JSON.
func JSONError(body []byte) error {
	if TooDeep(body) {
		return fmt.Errorf("JSON is nested deeper than %d levels", maxDepth)
	}
	var v any
	err := json.Unmarshal(body, &v)
	if err == nil {
		return nil
	}
	line, column := 1, 1
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		line, column = Position(body, int(s.Offset))
	}
	return fmt.Errorf("cannot parse json due to an error at line %d, character %d , error: %w", line, column, err)
}

// Position turns the offset of a byte, counted from 1, into line and column.
func Position(body []byte, offset int) (line, column int) {
	line, column = 1, 1
	for _, b := range body[:max(0, min(offset-1, len(body)))] {
		column++
		if b == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
