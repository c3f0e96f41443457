package message

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Encode makes the script's form of a message. Fields that were not sent have
// their defaults, those of messages null; members of a oneof and optional fields
// are there only if they were sent.
func (c *Codec) Encode(m protoreflect.Message) (goja.Value, error) {
	return c.encodeMessage(m, MaxDepth)
}

func (c *Codec) encodeMessage(m protoreflect.Message, depth int) (goja.Value, error) {
	if depth == 0 {
		return nil, errDepth
	}
	md := m.Descriptor()
	switch kindOf(md) {
	case textual:
		text, err := textOf(m)
		return c.Runtime.ToValue(text), err
	case wrapper:
		fd := md.Fields().ByNumber(1)
		if fd == nil || isMessage(fd) || fd.IsList() {
			return nil, shape(md)
		}
		return c.encodeScalar(fd, m.Get(fd)), nil
	case anything:
		return c.encodeAny(m, depth)
	case structure:
		return c.encodeStructure(m, depth)
	case anyValue:
		return c.encodeValue(m, depth)
	case valueList:
		return c.encodeValueList(m, depth)
	}
	o := c.Runtime.NewObject()
	return o, c.encodeFields(o, m, depth)
}

// encodeFields adds the fields of a message in the order they are declared in.
func (c *Codec) encodeFields(o *goja.Object, m protoreflect.Message, depth int) error {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if !m.Has(fd) {
			if fd.ContainingOneof() == nil {
				c.set(o, fd.JSONName(), c.unsent(fd, m))
			}
			continue
		}
		v, err := c.encodeField(fd, m.Get(fd), depth)
		if err != nil {
			return at(fd.JSONName(), err)
		}
		c.set(o, fd.JSONName(), v)
	}
	return nil
}

// unsent is what stands for a field that was not sent.
func (c *Codec) unsent(fd protoreflect.FieldDescriptor, m protoreflect.Message) goja.Value {
	switch {
	case fd.IsList():
		return c.Runtime.NewArray()
	case fd.IsMap():
		return c.Runtime.NewObject()
	case fd.HasPresence():
		return goja.Null()
	}
	return c.encodeScalar(fd, m.Get(fd))
}

func (c *Codec) encodeField(fd protoreflect.FieldDescriptor, v protoreflect.Value, depth int) (goja.Value, error) {
	switch {
	case fd.IsList():
		return c.encodeList(fd, v.List(), depth)
	case fd.IsMap():
		return c.encodeMap(fd, v.Map(), depth)
	}
	return c.encodeSingle(fd, v, depth)
}

func (c *Codec) encodeSingle(fd protoreflect.FieldDescriptor, v protoreflect.Value, depth int) (goja.Value, error) {
	if isMessage(fd) {
		return c.encodeMessage(v.Message(), depth-1)
	}
	return c.encodeScalar(fd, v), nil
}

func (c *Codec) encodeList(fd protoreflect.FieldDescriptor, list protoreflect.List, depth int) (goja.Value, error) {
	items := make([]any, list.Len())
	for i := range items {
		v, err := c.encodeSingle(fd, list.Get(i), depth)
		if err != nil {
			return nil, at("["+strconv.Itoa(i)+"]", err)
		}
		items[i] = v
	}
	return c.Runtime.NewArray(items...), nil
}

// encodeMap has its members sorted, so that equal maps look equal.
func (c *Codec) encodeMap(fd protoreflect.FieldDescriptor, entries protoreflect.Map, depth int) (goja.Value, error) {
	type member struct {
		name  string
		value protoreflect.Value
	}
	members := make([]member, 0, entries.Len())
	entries.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		members = append(members, member{mapKeyText(k), v})
		return true
	})
	slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	o := c.Runtime.NewObject()
	for _, m := range members {
		v, err := c.encodeSingle(fd.MapValue(), m.value, depth)
		if err != nil {
			return nil, at(m.name, err)
		}
		c.set(o, m.name, v)
	}
	return o, nil
}

// set defines a member, whatever its name.
func (c *Codec) set(o *goja.Object, name string, v goja.Value) {
	if name == "__proto__" {
		_ = o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
		return
	}
	_ = o.Set(name, v)
}

func (c *Codec) encodeScalar(fd protoreflect.FieldDescriptor, v protoreflect.Value) goja.Value {
	switch fd.Kind() {
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return c.Runtime.ToValue(strconv.FormatInt(v.Int(), 10))
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return c.Runtime.ToValue(strconv.FormatUint(v.Uint(), 10))
	case protoreflect.FloatKind:
		return c.Runtime.ToValue(shortest(v.Float()))
	case protoreflect.BytesKind:
		return c.Runtime.ToValue(encodeBase64(v.Bytes()))
	case protoreflect.EnumKind:
		return c.encodeEnum(fd.Enum(), v.Enum())
	}
	return c.Runtime.ToValue(v.Interface())
}

// shortest is the number with the fewest digits that a 32-bit float stands for.
func shortest(f float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 32), 64)
	if err != nil {
		return f
	}
	return short
}

func encodeBase64(b []byte) string { return base64.StdEncoding.EncodeToString(b) }

// encodeEnum is the first name of a value, or its number if it has none.
func (c *Codec) encodeEnum(ed protoreflect.EnumDescriptor, n protoreflect.EnumNumber) goja.Value {
	if isNullValue(ed) {
		return goja.Null()
	}
	if value := ed.Values().ByNumber(n); value != nil {
		return c.Runtime.ToValue(string(value.Name()))
	}
	return c.Runtime.ToValue(int64(n))
}
