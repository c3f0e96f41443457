package message

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// parseTextual reads the text form of a Timestamp, a Duration or a FieldMask.
func parseTextual(m protoreflect.Message, v goja.Value) error {
	s, ok := v.(goja.String)
	if !ok {
		return fmt.Errorf("%s is no %s: it is written as a string", describe(v), m.Descriptor().Name())
	}
	quoted, err := json.Marshal(s.String())
	if err != nil {
		return err
	}
	if !isTextual(m.Descriptor()) {
		return shape(m.Descriptor())
	}
	if err := protojson.Unmarshal(quoted, m.Interface()); err != nil {
		return fmt.Errorf("%s is no %s", describe(v), m.Descriptor().Name())
	}
	return nil
}

// isTextual tells whether a Timestamp, Duration or FieldMask has the fields it
// should have.
func isTextual(md protoreflect.MessageDescriptor) bool {
	first, second := md.Fields().ByNumber(1), md.Fields().ByNumber(2)
	if md.Name() == "FieldMask" {
		return first != nil && first.IsList() && first.Kind() == protoreflect.StringKind
	}
	return first != nil && first.Kind() == protoreflect.Int64Kind && !first.IsList() &&
		second != nil && second.Kind() == protoreflect.Int32Kind && !second.IsList()
}

// textOf is the inverse of parseTextual.
func textOf(m protoreflect.Message) (string, error) {
	if !isTextual(m.Descriptor()) {
		return "", shape(m.Descriptor())
	}
	quoted, err := protojson.Marshal(m.Interface())
	if err != nil {
		return "", err
	}
	var s string
	err = json.Unmarshal(quoted, &s)
	return s, err
}

// typeKey is the member of an Any that says what it holds.
const typeKey = "@type"

// any packs the message that the object describes.
func (c *Codec) any(m protoreflect.Message, v goja.Value, depth int) error {
	o, err := object(v)
	if err != nil {
		return err
	}
	url, ok := o.Get(typeKey).(goja.String)
	if !ok {
		if len(o.Keys()) == 0 {
			return nil
		}
		return fmt.Errorf("an Any needs the member %q", typeKey)
	}
	mt, err := c.Types.FindMessageByURL(url.String())
	if err != nil {
		return fmt.Errorf("the type %q is not known", url)
	}
	content := mt.New()
	if err := c.content(content, o, depth-1); err != nil {
		return err
	}
	packed, err := proto.MarshalOptions{AllowPartial: true, Deterministic: true}.Marshal(content.Interface())
	if err != nil {
		return err
	}
	return setAny(m, url.String(), packed)
}

// content fills the message that an Any holds. The fields of an ordinary one stand
// beside its type, the form of a well-known one is the member value.
func (c *Codec) content(m protoreflect.Message, o *goja.Object, depth int) error {
	if depth <= 0 {
		return errDepth
	}
	value := o.Get("value")
	empty := m.Descriptor().FullName() == "google.protobuf.Empty" && value != nil
	if kindOf(m.Descriptor()) == ordinary && !empty {
		return c.fields(m, o, typeKey, depth)
	}
	return c.message(m, c.plain(value, "value"), depth)
}

func setAny(m protoreflect.Message, url string, packed []byte) error {
	typeURL, err := field(m.Descriptor(), 1, protoreflect.StringKind)
	if err != nil {
		return err
	}
	value, err := field(m.Descriptor(), 2, protoreflect.BytesKind)
	if err != nil {
		return err
	}
	m.Set(typeURL, protoreflect.ValueOfString(url))
	m.Set(value, protoreflect.ValueOfBytes(packed))
	return nil
}

// structure fills a Struct.
func (c *Codec) structure(m protoreflect.Message, v goja.Value, depth int) error {
	o, err := object(v)
	if err != nil {
		return err
	}
	fd := m.Descriptor().Fields().ByNumber(1)
	if fd == nil || !fd.IsMap() {
		return shape(m.Descriptor())
	}
	return c.mapField(m, fd, o, depth)
}

// valueList fills a ListValue.
func (c *Codec) valueList(m protoreflect.Message, v goja.Value, depth int) error {
	fd := m.Descriptor().Fields().ByNumber(1)
	if fd == nil || !fd.IsList() {
		return shape(m.Descriptor())
	}
	return c.listField(m, fd, v, depth)
}

// The fields of a Value.
const (
	valueNull   protoreflect.FieldNumber = 1
	valueNumber protoreflect.FieldNumber = 2
	valueString protoreflect.FieldNumber = 3
	valueBool   protoreflect.FieldNumber = 4
	valueStruct protoreflect.FieldNumber = 5
	valueArray  protoreflect.FieldNumber = 6
)

// value fills a Value.
func (c *Codec) value(m protoreflect.Message, v goja.Value, depth int) error {
	n, err := valueField(v)
	if err != nil {
		return err
	}
	fd := m.Descriptor().Fields().ByNumber(n)
	if fd == nil || fd.IsList() || fd.IsMap() || isMessage(fd) != (n == valueStruct || n == valueArray) {
		return shape(m.Descriptor())
	}
	return c.field(m, fd, v, depth)
}

// valueField chooses the field of a Value that v belongs into.
func valueField(v goja.Value) (protoreflect.FieldNumber, error) {
	if o, ok := v.(*goja.Object); ok {
		if o.ClassName() == "Array" {
			return valueArray, nil
		}
		return valueStruct, nil
	}
	if goja.IsNull(v) {
		return valueNull, nil
	}
	switch v.Export().(type) {
	case string:
		return valueString, nil
	case bool:
		return valueBool, nil
	case int64, float64:
		return valueNumber, nil
	}
	return 0, fmt.Errorf("%s is no JSON value", describe(v))
}

// encodeAny unpacks an Any; what it cannot read it shows as base64.
func (c *Codec) encodeAny(m protoreflect.Message, depth int) (goja.Value, error) {
	typeURL, err := field(m.Descriptor(), 1, protoreflect.StringKind)
	if err != nil {
		return nil, err
	}
	value, err := field(m.Descriptor(), 2, protoreflect.BytesKind)
	if err != nil {
		return nil, err
	}
	return c.unpacked(m.Get(typeURL).String(), m.Get(value).Bytes(), depth)
}

// Any is the form of a message that is packed in a google.protobuf.Any.
func (c *Codec) Any(url string, packed []byte) (goja.Value, error) {
	return c.unpacked(url, packed, MaxDepth)
}

func (c *Codec) unpacked(url string, packed []byte, depth int) (goja.Value, error) {
	o := c.Runtime.NewObject()
	if url == "" && len(packed) == 0 {
		return o, nil
	}
	c.set(o, typeKey, c.Runtime.ToValue(url))
	mt, err := c.Types.FindMessageByURL(url)
	if err == nil {
		content := mt.New()
		err = proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(packed, content.Interface())
		if err == nil {
			return o, c.encodeUnpacked(o, content, depth)
		}
	}
	c.set(o, "value", c.Runtime.ToValue(encodeBase64(packed)))
	return o, nil
}

func (c *Codec) encodeUnpacked(o *goja.Object, content protoreflect.Message, depth int) error {
	if depth == 0 {
		return errDepth
	}
	if kindOf(content.Descriptor()) == ordinary {
		return c.encodeFields(o, content, depth-1)
	}
	v, err := c.encodeMessage(content, depth-1)
	if err == nil {
		c.set(o, "value", v)
	}
	return err
}

// encodeStructure is the object of a Struct, encodeList the array of a ListValue.
func (c *Codec) encodeStructure(m protoreflect.Message, depth int) (goja.Value, error) {
	fd := m.Descriptor().Fields().ByNumber(1)
	if fd == nil || !fd.IsMap() {
		return nil, shape(m.Descriptor())
	}
	return c.encodeMap(fd, m.Get(fd).Map(), depth)
}

func (c *Codec) encodeValueList(m protoreflect.Message, depth int) (goja.Value, error) {
	fd := m.Descriptor().Fields().ByNumber(1)
	if fd == nil || !fd.IsList() {
		return nil, shape(m.Descriptor())
	}
	return c.encodeList(fd, m.Get(fd).List(), depth)
}

// encodeValue is what a Value holds; one that holds nothing is null.
func (c *Codec) encodeValue(m protoreflect.Message, depth int) (goja.Value, error) {
	v := goja.Null()
	var err error
	m.Range(func(fd protoreflect.FieldDescriptor, held protoreflect.Value) bool {
		if fd.IsList() || fd.IsMap() {
			err = shape(m.Descriptor())
			return false
		}
		v, err = c.encodeSingle(fd, held, depth)
		return false
	})
	return v, err
}

// mapKeyText is how a key of a map is written.
func mapKeyText(k protoreflect.MapKey) string {
	switch x := k.Interface().(type) {
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	}
	return k.String()
}
