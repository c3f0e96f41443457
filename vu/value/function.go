package value

import "slices"

// Function is a function that a script may come to hold without calling it: what
// a computed name finds on a prototype. It is a Host.
type Function struct{ name string }

// Class is Function.
func (*Function) Class() string { return "Function" }

// Primitive is the text of a function of the host.
func (f *Function) Primitive(bool) Value {
	return Str("function " + f.name + "() { [native code] }")
}

// Property reads the name.
func (f *Function) Property(name string) (Value, bool) {
	if name == "name" {
		return Str(f.name), true
	}
	return Undefined, false
}

// inherited are the names of Object.prototype.
var inherited = []string{
	"__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__",
	"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable",
	"toLocaleString", "toString", "valueOf",
}

// IsInherited tells whether every object has a property of that name, although it
// is not its own. Plans that compute names look here before they trust undefined.
func IsInherited(name string) bool { return slices.Contains(inherited, name) }
