package runtime

import (
	"slices"

	"github.com/dop251/goja"
)

// GlobalNames lists the globals that every script has beside those of the
// registry: the interpreter's own and those that the runtime makes.
func GlobalNames() []string {
	names := []string{
		"console", "__ENV", "__VU", "__ITER", "global", "open", "require",
		"setTimeout", "clearTimeout", "setInterval", "clearInterval",
	}
	names = append(names, goja.New().GlobalObject().GetOwnPropertyNames()...)
	slices.Sort(names)
	return slices.Compact(names)
}
