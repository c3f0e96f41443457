// Package message turns values of a script into protocol buffers messages and
// back, by the rules of the JSON mapping of protocol buffers: camelCase names,
// 64-bit integers as strings, bytes as base64, defaults filled in.
//
// modules/k6grpc calls it. There is no JSON text between the two, which is what
// makes a call cheap; numbers that are not finite therefore stay numbers. It
// knows no connections. Extensions are not converted.
package message

import (
	"errors"
	"fmt"

	"github.com/dop251/goja"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// MaxDepth is how deep messages may be nested.
const MaxDepth = 10_000

var errDepth = fmt.Errorf("messages are nested deeper than %d levels", MaxDepth)

// Types finds the types that messages of the type google.protobuf.Any name.
type Types interface {
	FindMessageByURL(url string) (protoreflect.MessageType, error)
}

// Codec converts messages for one runtime. It is used by the goroutine of the
// runtime only.
type Codec struct {
	Runtime *goja.Runtime
	Types   Types
}

// wellKnown are the types of package google.protobuf with a form of their own.
type wellKnown uint8

const (
	ordinary  wellKnown = iota
	textual             // Timestamp, Duration, FieldMask: a string
	wrapper             // the value alone
	anything            // Any: the members of the message and @type
	structure           // Struct: an object
	anyValue            // Value: any JSON value
	valueList           // ListValue: an array
)

const googlePackage = "google.protobuf"

func kindOf(md protoreflect.MessageDescriptor) wellKnown {
	if md.ParentFile() == nil || md.ParentFile().Package() != googlePackage || md.FullName().Parent() != googlePackage {
		return ordinary
	}
	switch md.Name() {
	case "Timestamp", "Duration", "FieldMask":
		return textual
	case "DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value", "BoolValue", "StringValue", "BytesValue":
		return wrapper
	case "Any":
		return anything
	case "Struct":
		return structure
	case "Value":
		return anyValue
	case "ListValue":
		return valueList
	}
	return ordinary
}

// isNullValue tells the enum whose only value is null.
func isNullValue(ed protoreflect.EnumDescriptor) bool {
	return ed.FullName() == "google.protobuf.NullValue"
}

// shape is a well-known message that a server described wrongly.
func shape(md protoreflect.MessageDescriptor) error {
	return fmt.Errorf("%s is not described as the well-known type of that name", md.FullName())
}

// field is the field of a well-known type with that number, which must be of the
// kind.
func field(md protoreflect.MessageDescriptor, n protoreflect.FieldNumber, kind protoreflect.Kind) (protoreflect.FieldDescriptor, error) {
	fd := md.Fields().ByNumber(n)
	if fd == nil || fd.Kind() != kind || fd.IsList() {
		return nil, shape(md)
	}
	return fd, nil
}

// at puts the place before an error.
func at(place string, err error) error {
	if errors.Is(err, errDepth) {
		return err // its place is thousands of steps long
	}
	return fmt.Errorf("%s: %w", place, err)
}
