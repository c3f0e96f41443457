package message

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/jsload/jsload/modules/conv"
)

// Decode makes a message of a script's value. What the script's own code throws
// on the way (getters, toJSON) goes up as it is, by panic.
func (c *Codec) Decode(v goja.Value, md protoreflect.MessageDescriptor) (*dynamicpb.Message, error) {
	m := dynamicpb.NewMessage(md)
	if err := c.message(m, c.plain(v, ""), MaxDepth); err != nil {
		return nil, err
	}
	return m, nil
}

// plain is what JSON takes for a value: the result of toJSON, and of objects
// that wrap a primitive value that value. Functions and symbols are undefined.
func (c *Codec) plain(v goja.Value, key string) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		if _, symbol := v.(*goja.Symbol); symbol || v == nil {
			return goja.Undefined()
		}
		return v
	}
	if toJSON, ok := goja.AssertFunction(o.Get("toJSON")); ok {
		result, err := toJSON(o, c.Runtime.ToValue(key))
		if err != nil {
			panic(err)
		}
		if o, ok = result.(*goja.Object); !ok {
			return result
		}
	}
	if _, function := goja.AssertFunction(o); function {
		return goja.Undefined()
	}
	switch o.ClassName() {
	case "Number":
		return o.ToNumber()
	case "String":
		return o.ToString()
	case "Boolean":
		return c.Runtime.ToValue(o.Export())
	}
	return o
}

// message fills m. depth is how many levels are left.
func (c *Codec) message(m protoreflect.Message, v goja.Value, depth int) error {
	if depth == 0 {
		return errDepth
	}
	switch kindOf(m.Descriptor()) {
	case textual:
		return parseTextual(m, v)
	case wrapper:
		return c.wrapped(m, v)
	case anything:
		return c.any(m, v, depth)
	case structure:
		return c.structure(m, v, depth)
	case anyValue:
		return c.value(m, v, depth)
	case valueList:
		return c.valueList(m, v, depth)
	}
	o, err := object(v)
	if err != nil {
		return err
	}
	return c.fields(m, o, "", depth)
}

func object(v goja.Value) (*goja.Object, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() == "Array" {
		return nil, fmt.Errorf("an object is needed, not %s", describe(v))
	}
	return o, nil
}

func array(v goja.Value) (*goja.Object, int, error) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		return nil, 0, fmt.Errorf("an array is needed, not %s", describe(v))
	}
	return o, int(o.Get("length").ToInteger()), nil
}

// describe names a value in an error.
func describe(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		if o.ClassName() == "Array" {
			return "an array"
		}
		return "an object"
	}
	text := v.String()
	if len(text) > 50 {
		text = text[:50] + "..."
	}
	if _, ok := v.(goja.String); ok {
		return strconv.Quote(text)
	}
	return text
}

// fields sets the fields that o has members for, but for the member skip.
func (c *Codec) fields(m protoreflect.Message, o *goja.Object, skip string, depth int) error {
	fields := m.Descriptor().Fields()
	var seen []protoreflect.FieldNumber
	for _, key := range o.Keys() {
		if skip != "" && key == skip {
			continue
		}
		v := c.plain(o.Get(key), key)
		if goja.IsUndefined(v) {
			continue
		}
		fd := fields.ByJSONName(key)
		if fd == nil {
			fd = fields.ByTextName(key)
		}
		if fd == nil {
			return fmt.Errorf("%s has no field %q", m.Descriptor().FullName(), key)
		}
		if slices.Contains(seen, fd.Number()) {
			return fmt.Errorf("the field %s is given twice", fd.Name())
		}
		seen = append(seen, fd.Number())
		if goja.IsNull(v) && !takesNull(fd) {
			continue
		}
		if err := c.field(m, fd, v, depth); err != nil {
			return at(key, err)
		}
	}
	return nil
}

// takesNull tells a field for which null is a value rather than nothing.
func takesNull(fd protoreflect.FieldDescriptor) bool {
	if fd.IsList() || fd.IsMap() {
		return false
	}
	switch fd.Kind() {
	case protoreflect.EnumKind:
		return isNullValue(fd.Enum())
	case protoreflect.MessageKind:
		return kindOf(fd.Message()) == anyValue
	}
	return false
}

func (c *Codec) field(m protoreflect.Message, fd protoreflect.FieldDescriptor, v goja.Value, depth int) error {
	if one := fd.ContainingOneof(); one != nil {
		if other := m.WhichOneof(one); other != nil && other != fd {
			return fmt.Errorf("%s is set already: they are both members of the oneof %s", other.Name(), one.Name())
		}
	}
	switch {
	case fd.IsMap():
		return c.mapField(m, fd, v, depth)
	case fd.IsList():
		return c.listField(m, fd, v, depth)
	}
	var value protoreflect.Value
	if isMessage(fd) {
		value = m.NewField(fd)
	}
	value, err := c.single(value, fd, v, depth)
	if err == nil {
		m.Set(fd, value)
	}
	return err
}

func isMessage(fd protoreflect.FieldDescriptor) bool {
	return fd.Kind() == protoreflect.MessageKind || fd.Kind() == protoreflect.GroupKind
}

// single is one value of a field; into is the new message if it is to be one.
func (c *Codec) single(into protoreflect.Value, fd protoreflect.FieldDescriptor, v goja.Value, depth int) (protoreflect.Value, error) {
	if isMessage(fd) {
		if goja.IsNull(v) && !takesNullItem(fd) {
			return into, errNull
		}
		return into, c.message(into.Message(), v, depth-1)
	}
	return scalar(fd, v)
}

// errNull is for null in lists and maps.
var errNull = errors.New("null is no value here")

func takesNullItem(fd protoreflect.FieldDescriptor) bool { return kindOf(fd.Message()) == anyValue }

func (c *Codec) listField(m protoreflect.Message, fd protoreflect.FieldDescriptor, v goja.Value, depth int) error {
	items, n, err := array(v)
	if err != nil {
		return err
	}
	list := m.Mutable(fd).List()
	for i := range n {
		key := strconv.Itoa(i)
		item := c.plain(items.Get(key), key)
		if goja.IsUndefined(item) {
			item = goja.Null()
		}
		var value protoreflect.Value
		if isMessage(fd) {
			value = list.NewElement()
		}
		if value, err = c.single(value, fd, item, depth); err != nil {
			return at("["+key+"]", err)
		}
		list.Append(value)
	}
	return nil
}

func (c *Codec) mapField(m protoreflect.Message, fd protoreflect.FieldDescriptor, v goja.Value, depth int) error {
	members, err := object(v)
	if err != nil {
		return err
	}
	entries := m.Mutable(fd).Map()
	for _, name := range members.Keys() {
		item := c.plain(members.Get(name), name)
		if goja.IsUndefined(item) {
			continue
		}
		key, err := mapKey(fd.MapKey(), name)
		if err != nil {
			return err
		}
		if entries.Has(key) {
			return fmt.Errorf("the key %q is given twice", name)
		}
		var value protoreflect.Value
		if isMessage(fd.MapValue()) {
			value = entries.NewValue()
		}
		if value, err = c.single(value, fd.MapValue(), item, depth); err != nil {
			return at(name, err)
		}
		entries.Set(key, value)
	}
	return nil
}

func mapKey(fd protoreflect.FieldDescriptor, name string) (protoreflect.MapKey, error) {
	var v protoreflect.Value
	ok := true
	switch fd.Kind() {
	case protoreflect.StringKind:
		v = protoreflect.ValueOfString(name)
	case protoreflect.BoolKind:
		v, ok = protoreflect.ValueOfBool(name == "true"), name == "true" || name == "false"
	default:
		var err error
		v, err = integer(fd.Kind(), name)
		ok = err == nil
	}
	if !ok {
		return protoreflect.MapKey{}, fmt.Errorf("%q is no key of the type %s", name, fd.Kind())
	}
	return v.MapKey(), nil
}

// wrapped sets the one field of a wrapper.
func (c *Codec) wrapped(m protoreflect.Message, v goja.Value) error {
	fd := m.Descriptor().Fields().ByNumber(1)
	if fd == nil || isMessage(fd) || fd.IsList() {
		return shape(m.Descriptor())
	}
	value, err := scalar(fd, v)
	if err == nil {
		m.Set(fd, value)
	}
	return err
}

// bytesOf returns the content of a buffer or a view of one.
func bytesOf(v goja.Value) ([]byte, bool) {
	if _, ok := v.(*goja.Object); !ok {
		return nil, false
	}
	b, ok := conv.Bytes(v)
	return slices.Clone(b), ok
}
