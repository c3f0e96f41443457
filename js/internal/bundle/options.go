package bundle

import "github.com/evanw/esbuild/pkg/api"

// supported is every feature of the language that esbuild knows, and whether
// goja runs it as it is. What goja lacks is lowered; what esbuild cannot lower
// is a diagnostic. The list is complete on purpose (a test compares it): a new
// esbuild must not let new syntax through unnoticed.
//
// Lowering more than needed is expensive: async functions lowered to ES2015
// take 3.7 times as long, private members 6 times, object spread 6.4 times.
func supported() map[string]bool {
	features := map[string]bool{
		// Not in goja at this version.
		"async-generator":                  false,
		"for-await":                        false,
		"decorators":                       false,
		"using":                            false,
		"dynamic-import":                   false, // becomes a promise around require
		"import-meta":                      false,
		"import-attributes":                false,
		"import-assertions":                false,
		"import-defer":                     false,
		"import-source":                    false,
		"regexp-match-indices":             false, // literals become new RegExp(...)
		"regexp-set-notation":              false,
		"regexp-unicode-property-escapes":  false,
		"top-level-await":                  true, // the whole bundle is an async function then
		"from-base64":                      false,
		"inline-script":                    false,
		"hashbang":                         false,
		"unicode-escapes":                  false, // goja panics on \u{10FFFF}: strings get pairs of \uXXXX
		"node-colon-prefix-import":         true,
		"node-colon-prefix-require":        true,
		"arbitrary-module-namespace-names": true, // gone once linked
		"export-star-as":                   true,
	}
	for _, name := range []string{
		"array-spread", "arrow", "async-await", "bigint", "class", "class-field", "class-private-accessor",
		"class-private-brand-check", "class-private-field", "class-private-method", "class-private-static-accessor",
		"class-private-static-field", "class-private-static-method", "class-static-blocks", "class-static-field",
		"const-and-let", "default-argument", "destructuring", "exponent-operator", "for-of", "function-name-configurable",
		"function-or-class-property-access", "generator", "logical-assignment", "nested-rest-binding", "new-target",
		"nullish-coalescing", "object-accessors", "object-extensions", "object-rest-spread", "optional-catch-binding",
		"optional-chain", "regexp-dot-all-flag", "regexp-lookbehind-assertions", "regexp-named-capture-groups",
		"regexp-sticky-and-unicode-flags", "rest-argument", "template-literal", "typeof-exotic-object-is-object",
	} {
		features[name] = true
	}
	return features
}

// probed are the endings tried for an import without one, in order.
var probed = [...]string{
	".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".jsx", ".cts", ".json",
	"/index.ts", "/index.tsx", "/index.mts", "/index.js", "/index.mjs", "/index.cjs", "/index.json",
}

// options are esbuild's for a build, all but entry and plugins.
func (b *builder) options() api.BuildOptions {
	return api.BuildOptions{
		Bundle:            true,
		Write:             false,
		Metafile:          true,
		LogLevel:          api.LogLevelSilent,
		LogLimit:          20,
		LogOverride:       quiet(),
		Format:            api.FormatESModule,
		Target:            api.ESNext,
		Supported:         supported(),
		Platform:          api.PlatformBrowser,
		MainFields:        []string{"browser", "module", "main"},
		Conditions:        []string{"jsload", "module"},
		ResolveExtensions: []string{".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".jsx", ".cts", ".json"},
		TreeShaking:       api.TreeShakingTrue,
		LegalComments:     api.LegalCommentsNone,
		Sourcemap:         api.SourceMapExternal,
		SourcesContent:    api.SourcesContentExclude,
		Define:            map[string]string{"process.env.NODE_ENV": `"production"`},
		AbsWorkingDir:     b.dir,
		Outfile:           b.outfile(),
		JSX:               api.JSXTransform,
	}
}

// quiet silences warnings that say nothing to the author of a load test.
func quiet() map[string]api.LogLevel {
	override := map[string]api.LogLevel{}
	for _, id := range []string{
		"import-is-undefined", "commonjs-variable-in-esm", "require-resolve-not-external", "direct-eval",
		"unsupported-dynamic-import", "unsupported-require-call", "indirect-require", "empty-import-meta", "package.json",
		"ignored-bare-import", "different-path-case",
	} {
		override[id] = api.LogLevelSilent
	}
	return override
}
