package bundle

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// getMark stands for reading an export of a built-in module while esbuild
// works: unlike a property access, a call marked pure can be dropped when nothing
// uses its result. What is left becomes a property access in the end.
const getMark = "__jsload_get"

// Flavours of a built-in module: the same object seen through different syntax.
// The flavour and, for namespaces, the names follow the path in the name of the
// virtual module, after a question mark.
const (
	flavourESM       = ""  // import x, {y} from
	flavourCommonJS  = "c" // require() and import()
	flavourNamespace = "n" // import * as, rewritten to a named import
)

func (b *builder) isBuiltin(spec string) bool {
	_, ok := b.builtins[spec]
	return ok || b.cfg.Lenient && isHostName(spec)
}

// isHostName tells names that only the host could provide.
func isHostName(spec string) bool {
	return spec == "k6" || strings.HasPrefix(spec, "k6/") || spec == "jsload" || strings.HasPrefix(spec, "jsload/")
}

func (b *builder) hostHint(spec string) string {
	if strings.HasPrefix(spec, "k6/x/") {
		return "extensions of other tools cannot be loaded"
	}
	if b.cfg.Absent != nil {
		if why := b.cfg.Absent(spec); why != "" {
			return why
		}
	}
	if near := nearest(spec, b.builtins); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// nearest finds the module whose name differs least from a mistyped one.
func nearest(spec string, modules map[string]Builtin) string {
	best, bestDistance := "", 3
	for name := range modules {
		if d := distance(spec, name); d < bestDistance || d == bestDistance && name < best {
			best, bestDistance = name, d
		}
	}
	return best
}

// distance counts the edits between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// resolveBuiltin gives an import of a built-in module the flavour it needs.
func (b *builder) resolveBuiltin(args api.OnResolveArgs, importer string) api.OnResolveResult {
	name := args.Path
	switch args.Kind {
	case api.ResolveJSRequireCall, api.ResolveJSDynamicImport:
		name += "?" + flavourCommonJS
	default:
		if aliases := b.namespaces(importer, args.Path); len(aliases) > 0 {
			name += "?" + flavourNamespace + strings.Join(aliases, ",")
		}
	}
	return api.OnResolveResult{Path: name, Namespace: nsBuiltin, SideEffects: api.SideEffectsFalse}
}

// builtinModule is the code of a virtual module.
func (b *builder) builtinModule(name string) string {
	path, rest, _ := strings.Cut(name, "?")
	return hostModule(path, rest, slices.Concat(b.builtins[path].Names, b.extra[path]), true)
}

// hostModule is the code of a flavour of a module that the host object gives.
// Whole makes the module its own default export, unless it has one.
func hostModule(path, flavour string, names []string, whole bool) string {
	quoted := quote(path)
	if flavour == flavourCommonJS {
		return "module.exports = __jsload.module(" + quoted + ");"
	}
	var code strings.Builder
	object := "module_" + notName.ReplaceAllString(path, "_")
	fmt.Fprintf(&code, "const %s = /* @__PURE__ */ __jsload.module(%s);\n", object, quoted)
	for i, n := range names {
		whole = whole && n != "default"
		local := n
		if !isBinding(n) {
			local = fmt.Sprintf("export_%d", i)
		}
		fmt.Fprintf(&code, "const %s = /* @__PURE__ */ %s(%s, %s);\nexport { %s as %s };\n", local, getMark, object, quote(n), local, quote(n))
	}
	if whole {
		fmt.Fprintf(&code, "export { %s as default };\n", object)
	}
	for alias := range strings.SplitSeq(strings.TrimPrefix(flavour, flavourNamespace), ",") {
		if alias != "" {
			fmt.Fprintf(&code, "export { %s as %s };\n", object, quote(alias))
		}
	}
	return code.String()
}

var (
	notName  = regexp.MustCompile(`[^A-Za-z0-9]+`)
	nameOnly = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)
)

// isBinding tells whether an export can be declared under its own name.
func isBinding(name string) bool {
	if !nameOnly.MatchString(name) {
		return false
	}
	switch name {
	case "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
		"else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in",
		"instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public", "return", "static", "super",
		"switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while", "with", "yield":
		return false
	}
	return true
}

// quote writes a string literal.
func quote(s string) string {
	q, _ := json.Marshal(s) // a string always marshals
	return string(q)
}

// glueModule is the code of entries and stubs.
func (b *builder) glueModule(name string) string {
	switch name {
	case entryTable:
		return b.tableEntry()
	case tableModules:
		var code strings.Builder
		code.WriteString("__jsload.modules({\n")
		for _, u := range b.tabled {
			fmt.Fprintf(&code, "%s: () => require(%s),\n", quote(u), quote(u))
		}
		code.WriteString("});\n")
		return code.String()
	}
	return "module.exports = {};"
}

// tableEntry stands in front of a script with computed requires: the table of
// modules comes first, and then the script with the exports that the round
// before found.
func (b *builder) tableEntry() string {
	if b.mainCommonJS {
		return fmt.Sprintf("require(%s);\nmodule.exports = require(%s);\n", quote(tableModules), quote(b.mainSpec()))
	}
	names := make([]string, len(b.mainExports))
	for i, n := range b.mainExports {
		names[i] = quote(n)
	}
	return fmt.Sprintf("import %s;\nexport { %s } from %s;\n", quote(tableModules), strings.Join(names, ", "), quote(b.mainSpec()))
}
