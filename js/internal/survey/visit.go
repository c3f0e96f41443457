package survey

import (
	"slices"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/file"
	"github.com/dop251/goja/token"
)

// visit looks at a node and all below it.
func (l *looker) visit(n ast.Node, s *scope) {
	switch n := n.(type) {
	case *ast.FunctionLiteral:
		l.function(n, n.Name, n.ParameterList, n.Body.List, n.Body, s)
	case *ast.ArrowFunctionLiteral:
		l.arrow(n, s)
	case *ast.ClassLiteral:
		l.class(n, s)
	case *ast.Identifier:
		l.mention(n, s)
	case *ast.PropertyShort:
		l.mention(&n.Name, s)
		if n.Initializer != nil {
			l.visit(n.Initializer, s)
		}
	case *ast.DotExpression, *ast.BracketExpression:
		l.chain(n.(ast.Expression), s)
	case *ast.CallExpression:
		l.call(n, s)
	case *ast.UnaryExpression:
		l.unary(n, s)
	case *ast.AssignExpression:
		l.assign(n, s)
	case *ast.Binding:
		l.pattern(n.Target, s)
		l.taken(n, s)
		if n.Initializer != nil {
			l.visit(n.Initializer, s)
		}
	case *ast.CatchStatement:
		l.pattern(n.Parameter, s)
		l.visit(n.Body, s)
	case *ast.ForDeclaration:
		l.pattern(n.Target, s)
	case *ast.LabelledStatement:
		l.visit(n.Statement, s)
	case *ast.BranchStatement, *ast.MetaProperty:
	default:
		l.below(n, s)
	}
}

func (l *looker) below(n ast.Node, s *scope) { each(n, func(c ast.Node) { l.visit(c, s) }) }

// function looks into a function, in a scope of its own.
func (l *looker) function(n ast.Node, name *ast.Identifier, params *ast.ParameterList, body []ast.Statement, whole ast.Node, s *scope) {
	inner := l.enter(s, params, body)
	if name != nil && inner.names[name.Name.String()] == nil {
		inner.declare(name.Name.String(), binding{})
	}
	inner.names["arguments"] = &binding{scope: inner}
	if arg, ok := l.first[n]; ok && len(params.List) > 0 {
		if id, ok := params.List[0].Target.(*ast.Identifier); ok {
			if b := inner.names[id.Name.String()]; !b.ambiguous {
				b.value, b.found, b.init = l.value(arg.expr, arg.scope), true, arg.expr
			}
		}
	}
	for _, p := range params.List {
		l.pattern(p.Target, inner)
		if p.Initializer != nil {
			l.visit(p.Initializer, inner)
		}
	}
	l.below(whole, inner)
}

func (l *looker) arrow(n *ast.ArrowFunctionLiteral, s *scope) {
	var body []ast.Statement
	if b, ok := n.Body.(*ast.BlockStatement); ok {
		body = b.List
	}
	l.function(n, nil, n.ParameterList, body, n.Body, s)
}

// class looks into a class. The keys of its members are no names.
func (l *looker) class(n *ast.ClassLiteral, s *scope) {
	inner := &scope{parent: s, names: map[string]*binding{}}
	if n.Name != nil {
		inner.declare(n.Name.Name.String(), binding{})
	}
	if n.SuperClass != nil {
		l.visit(n.SuperClass, s)
	}
	for _, e := range n.Body {
		if block, ok := e.(*ast.ClassStaticBlock); ok {
			l.function(block, nil, &ast.ParameterList{}, block.Block.List, block.Block, inner)
			continue
		}
		l.below(e, inner)
	}
}

// mention is a name that stands alone.
func (l *looker) mention(id *ast.Identifier, s *scope) {
	name := id.Name.String()
	b := s.lookup(name)
	if b == nil {
		l.global([]string{name}, id.Idx)
		return
	}
	if v := l.named(b); v != nil && v.module != "" && !isInstance(b) {
		l.member(v, id.Idx, true)
	}
}

// isInstance tells that a name stands for what a call gave: mentioning it is no
// use of a member.
func isInstance(b *binding) bool {
	for e := b.init; ; {
		switch x := e.(type) {
		case *ast.CallExpression, *ast.NewExpression:
			return true
		case *ast.AwaitExpression:
			e = x.Argument
		case *ast.Identifier:
			next := b.scope.lookup(x.Name.String())
			if next == nil || next == b {
				return true // a parameter
			}
			return isInstance(next)
		default:
			return false
		}
	}
}

// chain is a property access: the whole of a chain of them is one use.
func (l *looker) chain(e ast.Expression, s *scope) {
	if v := l.value(e, s); v != nil && v.module != "" {
		l.member(v, e.Idx0(), false)
	} else if path, ok := freePath(e, s); ok {
		l.global(path, e.Idx0())
	}
	for {
		switch x := e.(type) {
		case *ast.DotExpression:
			e = x.Left
		case *ast.BracketExpression:
			l.visit(x.Member, s)
			e = x.Left
		case *ast.Optional:
			e = x.Expression
		case *ast.OptionalChain:
			e = x.Expression
		case *ast.Identifier:
			return // counted with the chain, or a name of the script's own
		default:
			l.visit(e, s)
			return
		}
	}
}

// freePath is the path of a chain that begins at a global.
func freePath(e ast.Expression, s *scope) ([]string, bool) {
	switch x := e.(type) {
	case *ast.Identifier:
		return []string{x.Name.String()}, s.lookup(x.Name.String()) == nil
	case *ast.DotExpression:
		path, ok := freePath(x.Left, s)
		return append(path, x.Identifier.Name.String()), ok
	case *ast.BracketExpression:
		return freePath(x.Left, s)
	case *ast.Optional:
		return freePath(x.Expression, s)
	case *ast.OptionalChain:
		return freePath(x.Expression, s)
	}
	return nil, false
}

// call looks at a call; check calls its functions with its first argument.
func (l *looker) call(n *ast.CallExpression, s *scope) {
	if l.register(n, s) {
		return
	}
	if v := l.value(n.Callee, s); v != nil && slices.Equal(v.path, []string{"check"}) && len(n.ArgumentList) > 1 {
		if o, ok := n.ArgumentList[1].(*ast.ObjectLiteral); ok {
			for _, p := range o.Value {
				if k, ok := p.(*ast.PropertyKeyed); ok {
					l.first[k.Value] = argument{n.ArgumentList[0], s}
				}
			}
		}
	}
	l.below(n, s)
}

// unary leaves out the names that typeof asks for.
func (l *looker) unary(n *ast.UnaryExpression, s *scope) {
	if id, ok := n.Operand.(*ast.Identifier); ok && n.Operator == token.TYPEOF && s.lookup(id.Name.String()) == nil {
		l.guard(id.Name.String(), id.Idx)
		return
	}
	l.below(n, s)
}

// assign looks at an assignment: one to a name that is declared nowhere makes a
// global, and one to exports.options says what the options of a CommonJS script
// are.
func (l *looker) assign(n *ast.AssignExpression, s *scope) {
	l.commonJSOptions(n, s)
	if id, ok := n.Left.(*ast.Identifier); ok && s.lookup(id.Name.String()) == nil {
		l.assigned[id.Name.String()] = true
	} else {
		l.visit(n.Left, s)
	}
	l.visit(n.Right, s)
}

// pattern looks at the default values and computed keys of a pattern, whose names
// are declared.
func (l *looker) pattern(t ast.Expression, s *scope) {
	switch t := t.(type) {
	case *ast.AssignExpression:
		l.pattern(t.Left, s)
		l.visit(t.Right, s)
	case *ast.Binding:
		l.pattern(t.Target, s)
		if t.Initializer != nil {
			l.visit(t.Initializer, s)
		}
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			switch p := p.(type) {
			case *ast.PropertyShort:
				if p.Initializer != nil {
					l.visit(p.Initializer, s)
				}
			case *ast.PropertyKeyed:
				if p.Computed {
					l.visit(p.Key, s)
				}
				l.pattern(p.Value, s)
			}
		}
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			if e != nil {
				l.pattern(e, s)
			}
		}
	}
}

// taken keeps the members that a pattern takes out of what is known:
// const { status } = res.
func (l *looker) taken(n *ast.Binding, s *scope) {
	o, ok := n.Target.(*ast.ObjectPattern)
	if !ok || n.Initializer == nil {
		return
	}
	v := l.value(n.Initializer, s)
	if v == nil || v.module == "" {
		return
	}
	for _, p := range o.Properties {
		name, at := "", file.Idx(0)
		switch p := p.(type) {
		case *ast.PropertyShort:
			name, at = p.Name.Name.String(), p.Name.Idx
		case *ast.PropertyKeyed:
			if key, ok := p.Key.(*ast.StringLiteral); ok && !p.Computed {
				name, at = key.Value.String(), key.Idx
			}
		}
		if name != "" {
			l.member(l.property(v, name), at, false)
		}
	}
}
