package native

import (
	"math"

	"github.com/jsload/jsload/vu/value"
)

var infinity = math.Inf(1)

// ofNumber is a function of one number.
func ofNumber(f func(float64) float64) function {
	return func(args []value.Value) (value.Value, error) {
		return value.Number(f(value.ToNumber(argument(args, 0)))), nil
	}
}

func globalFunctions() map[string]function {
	return map[string]function{
		"JSON.stringify": stringify,
		"String": func(args []value.Value) (value.Value, error) {
			if len(args) == 0 {
				return value.Str(""), nil
			}
			return value.Str(value.ToString(args[0])), nil
		},
		"Number": func(args []value.Value) (value.Value, error) {
			if len(args) == 0 {
				return value.Number(0), nil
			}
			return value.Number(value.ToNumber(args[0])), nil
		},
		"Boolean": func(args []value.Value) (value.Value, error) { return value.Bool(value.Truthy(argument(args, 0))), nil },
		"parseInt": func(args []value.Value) (value.Value, error) {
			return value.Number(value.ParseInt(value.ToString(args[0]), value.ToNumber(argument(args, 1)))), nil
		},
		"parseFloat": func(args []value.Value) (value.Value, error) {
			return value.Number(value.ParseFloat(value.ToString(args[0]))), nil
		},
		"isNaN": func(args []value.Value) (value.Value, error) {
			return value.Bool(math.IsNaN(value.ToNumber(args[0]))), nil
		},
		"Math.floor": ofNumber(math.Floor),
		"Math.ceil":  ofNumber(math.Ceil),
		"Math.trunc": ofNumber(math.Trunc),
		"Math.abs":   ofNumber(math.Abs),
	}
}
