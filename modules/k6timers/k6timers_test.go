package k6timers_test

import (
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
