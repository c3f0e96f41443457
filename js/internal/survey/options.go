package survey

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/token"
)

// maxDepth bounds how far the options are followed through names and spreads, and
// maxWork how often: objects may contain themselves in many ways.
const maxDepth, maxWork = 20, 20_000

// register looks at the call that hands the exports of the script to the host.
func (l *looker) register(n *ast.CallExpression, s *scope) bool {
	dot, ok := n.Callee.(*ast.DotExpression)
	if !ok || dot.Identifier.Name != "register" || len(n.ArgumentList) != 1 {
		return false
	}
	if host, ok := dot.Left.(*ast.Identifier); !ok || host.Name != "__jsload" {
		return false
	}
	for _, o := range l.objects(n.ArgumentList[0], s, 0) {
		for _, p := range l.properties(o, "options", 0) {
			l.options(p.expr, p.scope)
		}
	}
	return true
}

// commonJSOptions looks at exports.options = ..., module.exports = {options: ...}
// and the like in the script itself.
func (l *looker) commonJSOptions(n *ast.AssignExpression, s *scope) {
	if p, ok := l.place(n.Idx0()); !ok || p.File != l.cfg.Main || n.Operator != token.ASSIGN {
		return
	}
	dot, ok := n.Left.(*ast.DotExpression)
	if !ok {
		return
	}
	switch dot.Identifier.Name {
	case "options":
		if isExports(dot.Left) {
			l.options(n.Right, s)
		}
	case "exports":
		if id, ok := dot.Left.(*ast.Identifier); ok && id.Name == "module" {
			for _, o := range l.objects(n.Right, s, 0) {
				for _, p := range l.properties(o, "options", 0) {
					l.options(p.expr, p.scope)
				}
			}
		}
	}
}

// isExports tells exports and module.exports.
func isExports(e ast.Expression) bool {
	switch e := e.(type) {
	case *ast.Identifier:
		return e.Name == "exports"
	case *ast.DotExpression:
		id, ok := e.Left.(*ast.Identifier)
		return ok && id.Name == "module" && e.Identifier.Name == "exports"
	}
	return false
}

// options keeps the keys of the options, and the executors of their scenarios.
func (l *looker) options(e ast.Expression, s *scope) {
	for _, o := range l.objects(e, s, 0) {
		l.optionKeys(o, 0)
		for _, scenarios := range l.properties(o, "scenarios", 0) {
			l.executors(scenarios)
		}
	}
}

func (l *looker) optionKeys(o object, depth int) {
	for _, p := range o.literal.Value {
		switch p := p.(type) {
		case *ast.SpreadElement:
			if depth < maxDepth {
				for _, inner := range l.objects(p.Expression, o.scope, depth+1) {
					l.optionKeys(inner, depth+1)
				}
			}
		default:
			if key, ok := keyOf(p); ok {
				if at, ok := l.place(p.Idx0()); ok {
					l.out.Options = append(l.out.Options, Use{Path: []string{key}, Place: at})
				}
			}
		}
	}
}

func (l *looker) executors(scenarios argument) {
	for _, all := range l.objects(scenarios.expr, scenarios.scope, 0) {
		for _, one := range l.properties(all, "", 0) {
			for _, o := range l.objects(one.expr, one.scope, 0) {
				for _, kind := range l.properties(o, "executor", 0) {
					l.executor(kind)
				}
			}
		}
	}
}

func (l *looker) executor(kind argument) {
	text, ok := kind.expr.(*ast.StringLiteral)
	if !ok {
		return
	}
	if at, ok := l.place(text.Idx); ok {
		l.out.Executors = append(l.out.Executors, Use{Path: []string{text.Value.String()}, Place: at})
	}
}

// object is an object literal and where it stands.
type object struct {
	literal *ast.ObjectLiteral
	scope   *scope
}

// objects finds the object literals that an expression may stand for.
func (l *looker) objects(e ast.Expression, s *scope, depth int) []object {
	if l.work++; depth > maxDepth || l.work > maxWork {
		return nil
	}
	more := func(e ast.Expression, s *scope) []object { return l.objects(e, s, depth+1) }
	switch e := e.(type) {
	case *ast.ObjectLiteral:
		return []object{{e, s}}
	case *ast.Identifier:
		if b := s.lookup(e.Name.String()); b != nil && !b.ambiguous && b.init != nil && b.member == "" {
			return more(b.init, b.scope)
		}
	case *ast.ConditionalExpression:
		return slices.Concat(more(e.Consequent, s), more(e.Alternate, s))
	case *ast.BinaryExpression:
		if e.Operator == token.LOGICAL_OR || e.Operator == token.LOGICAL_AND || e.Operator == token.COALESCE {
			return slices.Concat(more(e.Left, s), more(e.Right, s))
		}
	case *ast.CallExpression:
		return l.copied(e, s, depth)
	case *ast.DotExpression:
		return l.within(e.Left, e.Identifier.Name.String(), s, depth)
	case *ast.BracketExpression:
		name := ""
		if key, ok := e.Member.(*ast.StringLiteral); ok {
			name = key.Value.String()
		}
		return l.within(e.Left, name, s, depth)
	}
	return nil
}

// copied finds the objects that Object.assign and Object.freeze put together.
func (l *looker) copied(e *ast.CallExpression, s *scope, depth int) []object {
	dot, ok := e.Callee.(*ast.DotExpression)
	if !ok || dot.Identifier.Name != "assign" && dot.Identifier.Name != "freeze" {
		return nil
	}
	var list []object
	for _, a := range e.ArgumentList {
		list = append(list, l.objects(a, s, depth+1)...)
	}
	return list
}

// within finds the objects that a property holds; of any name if it is "".
func (l *looker) within(e ast.Expression, name string, s *scope, depth int) []object {
	var list []object
	for _, o := range l.objects(e, s, depth+1) {
		for _, p := range l.properties(o, name, depth+1) {
			list = append(list, l.objects(p.expr, p.scope, depth+1)...)
		}
	}
	return list
}

// properties finds the values of a property; of every one if the name is "".
func (l *looker) properties(o object, name string, depth int) []argument {
	var list []argument
	for _, p := range o.literal.Value {
		if spread, ok := p.(*ast.SpreadElement); ok && depth < maxDepth {
			for _, inner := range l.objects(spread.Expression, o.scope, depth+1) {
				list = append(list, l.properties(inner, name, depth+1)...)
			}
			continue
		}
		key, ok := keyOf(p)
		if !ok || name != "" && key != name {
			continue
		}
		switch p := p.(type) {
		case *ast.PropertyKeyed:
			list = append(list, argument{p.Value, o.scope})
		case *ast.PropertyShort:
			list = append(list, argument{&p.Name, o.scope})
		}
	}
	return list
}

// keyOf is the name of a property, if it is written down.
func keyOf(p ast.Property) (string, bool) {
	switch p := p.(type) {
	case *ast.PropertyShort:
		return p.Name.Name.String(), true
	case *ast.PropertyKeyed:
		if key, ok := p.Key.(*ast.StringLiteral); ok && !p.Computed {
			return key.Value.String(), true
		}
	}
	return "", false
}
