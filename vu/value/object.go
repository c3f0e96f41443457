package value

import (
	"cmp"
	"slices"
	"strconv"
)

// Host is a thing of the host that a script holds: a response, a date. What it
// can do beside having a class it says by the interfaces HostGetter,
// HostPrimitive and HostJSON.
type Host interface {
	// Class is the name that Object.prototype.toString shows.
	Class() string
}

// HostGetter is a Host with properties to read.
type HostGetter interface {
	Property(name string) (Value, bool)
}

// HostPrimitive is a Host that converts to a primitive value in its own way.
type HostPrimitive interface {
	// Primitive is called with number true where a number is wanted more.
	Primitive(number bool) Value
}

// HostJSON is a Host with a form of its own in JSON.
type HostJSON interface {
	ToJSON() (Value, error)
}

// Object is the shared content of an array, an object or a ref. Properties keep
// the order of JavaScript: integer keys first, ascending, then the others as they
// came. The zero value is an empty object. It is not safe for concurrent writes;
// a frozen one may be shared.
type Object struct {
	isArray bool
	mixed   bool    // the keys are not yet in the order they are seen in
	items   []Value // the elements of an array
	keys    []string
	vals    []Value
	index   map[string]int // of keys, once there are many
	host    Host
}

// manyKeys is how many members are searched one by one.
const manyKeys = 8

// NewObject is an empty object with room for n members.
func NewObject(n int) *Object {
	o := &Object{}
	if n > 0 {
		o.keys, o.vals = make([]string, 0, n), make([]Value, 0, n)
	}
	return o
}

// NewArray is an array that owns items.
func NewArray(items []Value) *Object { return &Object{isArray: true, items: items} }

// NewRef is the object of a host's thing.
func NewRef(h Host) *Object { return &Object{host: h} }

// Ref is the value of a host's thing. Each call makes a new identity.
func Ref(h Host) Value { return Value{kind: KindRef, obj: NewRef(h)} }

// maxItems bounds the length of arrays, which have no sparse form here.
const maxItems = 1 << 24

// IsArray tells whether the object is an array.
func (o *Object) IsArray() bool { return o.isArray }

// Len is how many own enumerable properties there are; of an array its length.
func (o *Object) Len() int {
	if o.isArray {
		return len(o.items)
	}
	return len(o.keys)
}

func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Own is the own property of a name. It does not look at the prototype.
func (o *Object) Own(key string) (Value, bool) {
	if o.isArray {
		if i, ok := arrayIndex(key); ok {
			return o.element(i)
		}
		if key == "length" {
			return Int(len(o.items)), true
		}
	}
	if i := o.find(key); i >= 0 {
		return o.vals[i], true
	}
	if h, ok := o.host.(HostGetter); ok {
		return h.Property(key)
	}
	return Undefined, false
}

func (o *Object) element(i uint32) (Value, bool) {
	if int64(i) >= int64(len(o.items)) || o.items[i].kind == kindHole {
		return Undefined, false
	}
	return o.items[i], true
}

// Has tells whether there is an own property of that name.
func (o *Object) Has(key string) bool {
	_, ok := o.Own(key)
	return ok
}

// Define sets an own property and asks no one: for objects under construction.
func (o *Object) Define(key string, v Value) {
	if o.isArray {
		if i, ok := arrayIndex(key); ok && int64(i) < maxItems {
			o.put(int(i), v)
			return
		}
	}
	if i := o.find(key); i >= 0 {
		o.vals[i] = v
		return
	}
	o.appendMember(key, v)
}

func (o *Object) appendMember(key string, v Value) {
	if n, ok := arrayIndex(key); ok && !o.mixed && len(o.keys) > 0 {
		last, ok := arrayIndex(o.keys[len(o.keys)-1])
		o.mixed = !ok || last > n
	}
	o.keys, o.vals = append(o.keys, key), append(o.vals, v)
	switch {
	case o.index != nil:
		o.index[key] = len(o.keys) - 1
	case len(o.keys) > manyKeys:
		o.reindex()
	}
}

func (o *Object) reindex() {
	o.index = nil
	if len(o.keys) <= manyKeys {
		return
	}
	o.index = make(map[string]int, 2*len(o.keys))
	for i, key := range o.keys {
		o.index[key] = i
	}
}

// put sets an element and lets the array grow to hold it.
func (o *Object) put(i int, v Value) {
	for len(o.items) < i {
		o.items = append(o.items, hole)
	}
	if i == len(o.items) {
		o.items = append(o.items, v)
		return
	}
	o.items[i] = v
}

// Keys are the names of the own enumerable properties in the order of the
// language. The slice may be the object's own: it is for reading, until the next
// change.
func (o *Object) Keys() []string {
	o.order()
	if !o.isArray {
		return o.keys
	}
	names := make([]string, 0, len(o.items)+len(o.keys))
	for i, v := range o.items {
		if v.kind != kindHole {
			names = append(names, strconv.Itoa(i))
		}
	}
	return append(names, o.keys...)
}

// Settle brings an object and all it holds into a form that reading does not
// change, so that many readers may share it.
func (o *Object) Settle() {
	o.order()
	for _, list := range [][]Value{o.items, o.vals} {
		for _, v := range list {
			if v.obj != nil {
				v.obj.Settle()
			}
		}
	}
}

// order puts integer keys first, once, when someone looks.
func (o *Object) order() {
	if !o.mixed {
		return
	}
	o.mixed = false
	by := make([]int, len(o.keys))
	for i := range by {
		by[i] = i
	}
	slices.SortStableFunc(by, func(a, b int) int { return compareKeys(o.keys[a], o.keys[b]) })
	keys, vals := make([]string, len(by)), make([]Value, len(by))
	for to, from := range by {
		keys[to], vals[to] = o.keys[from], o.vals[from]
	}
	o.keys, o.vals = keys, vals
	o.reindex()
}

func compareKeys(a, b string) int {
	m, aInt := arrayIndex(a)
	n, bInt := arrayIndex(b)
	switch {
	case aInt && bInt:
		return cmp.Compare(m, n)
	case aInt:
		return -1
	case bInt:
		return 1
	}
	return 0
}

// arrayIndex is the number of a key that is an integer in its canonical form,
// below 2^32-1.
func arrayIndex(key string) (uint32, bool) {
	if key == "" || len(key) > 10 || (key[0] == '0' && len(key) > 1) {
		return 0, false
	}
	n := uint64(0)
	for i := range len(key) {
		c := key[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + uint64(c)
	}
	return uint32(n), n < 1<<32-1
}
