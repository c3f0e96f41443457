package survey

import (
	"reflect"

	"github.com/dop251/goja/ast"
)

// scope holds the names that a function declares. Blocks have no scopes of their
// own: a name that a function declares twice stands for nothing known.
type scope struct {
	parent *scope
	names  map[string]*binding
}

// binding is a declared name.
type binding struct {
	scope *scope
	// init is what the name stands for, if that is written down; member is the
	// property of it that was taken out, if any.
	init      ast.Expression
	member    string
	ambiguous bool

	found bool // value is what it stands for
	value *value
}

func (s *scope) lookup(name string) *binding {
	for ; s != nil; s = s.parent {
		if b := s.names[name]; b != nil {
			return b
		}
	}
	return nil
}

func (s *scope) declare(name string, b binding) {
	if old := s.names[name]; old != nil {
		old.ambiguous = true
		return
	}
	b.scope = s
	s.names[name] = &b
}

// enter makes the scope of a function from its parameters and statements.
func (l *looker) enter(parent *scope, params *ast.ParameterList, body []ast.Statement) *scope {
	s := &scope{parent: parent, names: map[string]*binding{}}
	if params != nil {
		for _, p := range params.List {
			s.target(p.Target, nil)
		}
		if rest, ok := params.Rest.(ast.BindingTarget); ok {
			s.target(rest, nil)
		}
	}
	for _, statement := range body {
		s.hoist(statement)
	}
	return s
}

// hoist declares what a statement declares, blocks included and functions not.
func (s *scope) hoist(n ast.Node) {
	switch n := n.(type) {
	case *ast.FunctionDeclaration:
		s.declare(n.Function.Name.Name.String(), binding{init: n.Function})
		return
	case *ast.ClassDeclaration:
		s.declare(n.Class.Name.Name.String(), binding{init: n.Class})
		return
	case *ast.FunctionLiteral, *ast.ArrowFunctionLiteral, *ast.ClassLiteral:
		return
	case *ast.Binding:
		s.target(n.Target, n.Initializer)
		return
	case *ast.ForDeclaration:
		s.target(n.Target, nil)
	case *ast.CatchStatement:
		if n.Parameter != nil {
			s.target(n.Parameter, nil)
		}
	case ast.Expression:
		return // nothing is declared in an expression
	}
	each(n, s.hoist)
}

// target declares the names of a pattern.
func (s *scope) target(t ast.Expression, init ast.Expression) {
	switch t := t.(type) {
	case *ast.Identifier:
		s.declare(t.Name.String(), binding{init: init})
	case *ast.AssignExpression: // with a default
		s.target(t.Left, init)
	case *ast.Binding:
		s.target(t.Target, init)
	case *ast.ObjectPattern:
		for _, p := range t.Properties {
			s.property(p, init)
		}
		if t.Rest != nil {
			s.target(t.Rest, nil)
		}
	case *ast.ArrayPattern:
		for _, e := range t.Elements {
			if e != nil {
				s.target(e, nil)
			}
		}
		if t.Rest != nil {
			s.target(t.Rest, nil)
		}
	}
}

// property declares one name of an object pattern.
func (s *scope) property(p ast.Property, init ast.Expression) {
	switch p := p.(type) {
	case *ast.PropertyShort:
		name := p.Name.Name.String()
		s.declare(name, binding{init: init, member: name})
	case *ast.PropertyKeyed:
		if id, ok := p.Value.(*ast.Identifier); ok && !p.Computed {
			if key, ok := p.Key.(*ast.StringLiteral); ok {
				s.declare(id.Name.String(), binding{init: init, member: key.Value.String()})
				return
			}
		}
		s.target(p.Value, nil)
	}
}

// each calls f for the nodes directly below one.
func each(n ast.Node, f func(ast.Node)) {
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return
	}
	fields(v.Elem(), f)
}

var nodeType = reflect.TypeFor[ast.Node]()

func fields(v reflect.Value, f func(ast.Node)) {
	for i := range v.NumField() {
		if v.Type().Field(i).Name != "DeclarationList" { // repeats what stands in the body
			below(v.Field(i), f)
		}
	}
}

func below(v reflect.Value, f func(ast.Node)) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			below(v.Index(i), f)
		}
	case reflect.Struct:
		if v.CanAddr() && v.Addr().Type().Implements(nodeType) && v.Type() != reflect.TypeFor[ast.Identifier]() {
			fields(v, f)
		}
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() || !v.CanInterface() {
			return
		}
		if n, ok := v.Interface().(ast.Node); ok && !isNilNode(n) {
			f(n)
		}
	}
}

func isNilNode(n ast.Node) bool {
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
