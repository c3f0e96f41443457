package k6timers_test

import (
	"strings"
	"testing"

	"github.com/jsload/jsload/modules/k6timers"
	"github.com/jsload/jsload/modules/moduletest"
)

func TestTimersAreTheGlobals(t *testing.T) {
	b := moduletest.New(t, k6timers.New(), moduletest.Config{Init: true})
	for _, name := range []string{"setTimeout", "setInterval", "clearTimeout", "clearInterval"} {
		b.Text(`globalThis.` + name + ` = () => '` + name + `'`)
		b.Want(`return m.`+name+`()`, name)
	}
	b.Want(`return Object.keys(m).sort().join()`, "clearInterval,clearTimeout,setInterval,setTimeout")
}

// The old name is the same, and warns once.
func TestDeprecated(t *testing.T) {
	m := k6timers.NewExperimental()
	for n, want := range []int{1, 0} {
		b := moduletest.New(t, m, moduletest.Config{Init: true})
		if got := strings.Count(b.Log(), "deprecated"); got != want {
			t.Errorf("import %d: %d warnings", n, got)
		}
	}
}
