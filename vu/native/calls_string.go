package native

import "github.com/jsload/jsload/vu/value"

// position is the argument i as a position, or other if it is missing.
func position(args []value.Value, i int, other float64) float64 {
	if v := argument(args, i); !v.IsUndefined() {
		return value.ToNumber(v)
	}
	return other
}

// ofText is a method of a text without arguments.
func ofText(f func(string) string) function {
	return func(args []value.Value) (value.Value, error) { return value.Str(f(args[0].Text())), nil }
}

// inText is a method that looks for a text in another, from a position on.
func inText(f func(s, part string, from float64) bool, other float64) function {
	return func(args []value.Value) (value.Value, error) {
		part := value.ToString(argument(args, 1))
		return value.Bool(f(args[0].Text(), part, position(args, 2, other))), nil
	}
}

func stringMethods() map[string]function {
	return map[string]function{
		"includes":   inText(value.Includes, 0),
		"startsWith": inText(value.StartsWith, 0),
		"endsWith":   inText(value.EndsWith, infinity),
		"indexOf": func(args []value.Value) (value.Value, error) {
			return value.Int(value.IndexOf(args[0].Text(), value.ToString(argument(args, 1)), position(args, 2, 0))), nil
		},
		"trim":        ofText(value.Trim),
		"toLowerCase": ofText(value.ToLower),
		"toUpperCase": ofText(value.ToUpper),
	}
}
