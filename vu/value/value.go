package value

// Kind says what a Value is.
type Kind uint8

// The kinds of values. Ref is a thing of the host that scripts handle but do not
// see into by enumeration: a response, a date, a regular expression, an error.
const (
	KindUndefined Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
	KindRef

	// kindHole is an element that an array does not have. It stays inside arrays:
	// reading one gives undefined.
	kindHole
)

var kindNames = [...]string{"undefined", "null", "bool", "number", "string", "array", "object", "ref", "hole"}

// String is the name of a kind in plans and messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "invalid"
}

// Value is a JavaScript value without an engine. It is small and passed by value;
// arrays and objects are shared by reference as in scripts. The zero value is
// undefined.
//
// Strings are Go strings in WTF-8: UTF-8 in which a lone surrogate is its own
// three bytes, and never a pair of them. WellFormed makes it UTF-8.
type Value struct {
	kind Kind
	num  float64 // a number; 1 is true
	str  string
	obj  *Object // of an array, an object or a ref
}

// The values without content.
var (
	Undefined = Value{}
	Null      = Value{kind: KindNull}
	True      = Value{kind: KindBool, num: 1}
	False     = Value{kind: KindBool}
)

var hole = Value{kind: kindHole}

// Bool is the value of a truth.
func Bool(b bool) Value {
	if b {
		return True
	}
	return False
}

// Number is the value of a number.
func Number(f float64) Value { return Value{kind: KindNumber, num: f} }

// Int is the value of an integer, which is exact to 53 bits.
func Int(n int) Value { return Value{kind: KindNumber, num: float64(n)} }

// Str is the value of a text that is already WTF-8: any valid UTF-8 is. Bytes
// from outside go through Clean first.
func Str(s string) Value { return Value{kind: KindString, str: s} }

// Array is a new array that owns items.
func Array(items ...Value) Value {
	return Value{kind: KindArray, obj: NewArray(items)}
}

// Of is the value of an object made by NewObject, NewArray or NewRef.
func Of(o *Object) Value {
	switch {
	case o == nil:
		return Undefined
	case o.host != nil:
		return Value{kind: KindRef, obj: o}
	case o.isArray:
		return Value{kind: KindArray, obj: o}
	}
	return Value{kind: KindObject, obj: o}
}

// Kind says what the value is.
func (v Value) Kind() Kind { return v.kind }

// IsUndefined tells whether the value is undefined.
func (v Value) IsUndefined() bool { return v.kind == KindUndefined }

// IsNull tells whether the value is null.
func (v Value) IsNull() bool { return v.kind == KindNull }

// IsNullish tells whether the value is undefined or null.
func (v Value) IsNullish() bool { return v.kind <= KindNull }

// IsString tells whether the value is a string.
func (v Value) IsString() bool { return v.kind == KindString }

// IsNumber tells whether the value is a number.
func (v Value) IsNumber() bool { return v.kind == KindNumber }

// IsObject tells whether the value is an array, an object or a ref: what is
// compared by identity.
func (v Value) IsObject() bool { return v.kind >= KindArray && v.kind <= KindRef }

// Float is the number of a number, and of a boolean 0 or 1. It converts nothing:
// see ToNumber.
func (v Value) Float() float64 { return v.num }

// Text is the string of a string, else empty. It converts nothing: see ToString.
func (v Value) Text() string { return v.str }

// IsTrue tells whether the value is the boolean true. See also Truthy.
func (v Value) IsTrue() bool { return v.kind == KindBool && v.num != 0 }

// Object is what an array, an object or a ref refers to, else nil.
func (v Value) Object() *Object { return v.obj }

// Host is the host's thing behind a ref, else nil.
func (v Value) Host() Host {
	if v.obj == nil {
		return nil
	}
	return v.obj.host
}

// Items are the elements of an array, for reading; nil of anything else. Elements
// that are not there (holes) are told by IsHole.
func (v Value) Items() []Value {
	if v.kind != KindArray {
		return nil
	}
	return v.obj.items
}

// IsHole tells whether an element of Items is missing from its array. Elsewhere
// no value is a hole.
func (v Value) IsHole() bool { return v.kind == kindHole }
