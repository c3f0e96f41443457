// Package types holds TypeScript declarations of the script API, one file for
// each module and one for the globals, so that editors complete and check scripts.
//
// cmd writes them into a project (jsload new --types). They are written from what
// the modules do; a test of package js compares their names with the modules'.
// The package looks at no script and checks none.
package types

import (
	"embed"
	"strings"
)

// FS holds the files. That of a module is named by FileOf; globals.d.ts declares
// the globals, options.d.ts the options of a test.
//
//go:embed *.d.ts
var FS embed.FS

// Files of no module that can be run: the globals, of which crypto is by itself,
// and types to import alone.
const (
	Globals = "globals.d.ts"
	Crypto  = "global-crypto.d.ts"
	Options = "k6-options.d.ts"
)

// FileOf gives the name of the file that declares a module by its import path
// under k6, such as k6-http.d.ts for k6/http. The same file declares its twin
// under jsload.
func FileOf(module string) string { return strings.ReplaceAll(module, "/", "-") + ".d.ts" }
