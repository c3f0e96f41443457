package survey

import (
	"slices"
	"strings"

	"github.com/dop251/goja/ast"
)

// value is what an expression is known to give.
type value struct {
	// module and path name a module or a member of it, or of what a member gives.
	module string
	path   []string
	// requires is set for a function that gives that module.
	requires string
}

// values finds what an expression gives; nil if that is not known.
func (l *looker) value(e ast.Expression, s *scope) *value {
	switch e := e.(type) {
	case *ast.Identifier:
		return l.named(s.lookup(e.Name.String()))
	case *ast.DotExpression:
		return l.property(l.value(e.Left, s), e.Identifier.Name.String())
	case *ast.BracketExpression:
		if key, ok := e.Member.(*ast.StringLiteral); ok {
			return l.property(l.value(e.Left, s), key.Value.String())
		}
	case *ast.CallExpression:
		return l.called(e, s)
	case *ast.NewExpression:
		return l.made(l.value(e.Callee, s), true)
	case *ast.AwaitExpression:
		return l.value(e.Argument, s)
	case *ast.OptionalChain:
		return l.value(e.Expression, s)
	case *ast.Optional:
		return l.value(e.Expression, s)
	case *ast.SequenceExpression: // (0, http.get)
		return l.value(e.Sequence[len(e.Sequence)-1], s)
	}
	return nil
}

// named finds what a declared name stands for.
func (l *looker) named(b *binding) *value {
	if b == nil || b.ambiguous || b.init == nil {
		return nil
	}
	if b.found || l.seen[b] {
		return b.value
	}
	l.seen[b] = true
	defer delete(l.seen, b)
	v := l.value(b.init, b.scope)
	if b.member != "" {
		v = l.property(v, b.member)
	}
	b.value, b.found = v, true
	return v
}

// property is a member of what is known. What tools write as .default of a
// module is the module.
func (l *looker) property(v *value, name string) *value {
	if v == nil || v.module == "" {
		return nil
	}
	if name == "default" && len(v.path) == 0 {
		return v
	}
	return &value{module: v.module, path: append(slices.Clone(v.path), name)}
}

// interop are functions by which compilers wrap what require() gave.
var interop = []string{
	"__importDefault", "__importStar", "__toESM", "__toCommonJS", "_interopRequireDefault", "_interopRequireWildcard",
	"_interopDefault", "_interopDefaultLegacy", "_interopNamespace",
}

func (l *looker) called(e *ast.CallExpression, s *scope) *value {
	if path, ok := hostModule(e); ok {
		return &value{module: path}
	}
	if id, ok := e.Callee.(*ast.Identifier); ok && len(e.ArgumentList) > 0 && slices.Contains(interop, id.Name.String()) {
		return l.value(e.ArgumentList[0], s)
	}
	if path, ok := wrappedModule(e); ok {
		return &value{requires: path}
	}
	v := l.value(e.Callee, s)
	if v != nil && v.requires != "" {
		return &value{module: v.requires}
	}
	return l.made(v, false)
}

// made is what calling a member gives, if members of that are listed. A class
// makes instances of itself.
func (l *looker) made(v *value, isNew bool) *value {
	if v == nil || v.module == "" || len(v.path) == 0 {
		return nil
	}
	if class := l.cfg.Class(v.module, v.path); class != "" {
		return &value{module: v.module, path: []string{class}}
	}
	if isNew && len(v.path) == 1 {
		return v
	}
	return nil
}

// hostModule is the path of __jsload.module(path).
func hostModule(e *ast.CallExpression) (string, bool) {
	dot, ok := e.Callee.(*ast.DotExpression)
	if !ok || len(e.ArgumentList) != 1 || dot.Identifier.Name != "module" {
		return "", false
	}
	host, ok := dot.Left.(*ast.Identifier)
	path, isString := e.ArgumentList[0].(*ast.StringLiteral)
	if !ok || !isString || host.Name != "__jsload" {
		return "", false
	}
	return path.Value.String(), true
}

// wrappedModule is the path of __commonJS({"jsload-builtin:PATH?c"(exports, module) {...}}),
// which makes the function that a require() of a module of the host, or of a library
// of its own, became.
func wrappedModule(e *ast.CallExpression) (string, bool) {
	id, ok := e.Callee.(*ast.Identifier)
	if !ok || !strings.HasPrefix(id.Name.String(), "__commonJS") || len(e.ArgumentList) != 1 {
		return "", false
	}
	o, ok := e.ArgumentList[0].(*ast.ObjectLiteral)
	if !ok || len(o.Value) != 1 {
		return "", false
	}
	p, ok := o.Value[0].(*ast.PropertyKeyed)
	if !ok {
		return "", false
	}
	key, ok := p.Key.(*ast.StringLiteral)
	if !ok {
		return "", false
	}
	kind, path, _ := strings.Cut(key.Value.String(), ":")
	path, _, _ = strings.Cut(path, "?")
	return path, kind == "jsload-builtin" || kind == "jsload-library"
}
