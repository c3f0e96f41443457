package value

// Exception is a thrown value on its way to a handler.
type Exception struct{ Value Value }

// Error is the text that the value converts to.
func (e *Exception) Error() string { return ToString(e.Value) }

// Throw makes an exception of any value.
func Throw(v Value) error { return &Exception{Value: v} }

// NewError is an error object of a class: Error, TypeError, RangeError ...
func NewError(class, message string) Value {
	return Ref(&ErrorData{name: class, message: message})
}

func throw(class, message string) error { return Throw(NewError(class, message)) }

// TypeError is the exception of that class.
func TypeError(message string) error { return throw("TypeError", message) }

// RangeError is the exception of that class.
func RangeError(message string) error { return throw("RangeError", message) }

// SyntaxError is the exception of that class.
func SyntaxError(message string) error { return throw("SyntaxError", message) }

// ErrorData is the content of an error object.
type ErrorData struct{ name, message string }

// Class is Error, whatever the name.
func (e *ErrorData) Class() string { return "Error" }

// Property reads name and message.
func (e *ErrorData) Property(name string) (Value, bool) {
	switch name {
	case "name":
		return Str(e.name), true
	case "message":
		return Str(e.message), true
	}
	return Undefined, false
}

// Primitive is the text "name: message".
func (e *ErrorData) Primitive(bool) Value {
	switch "" {
	case e.message:
		return Str(e.name)
	case e.name:
		return Str(e.message)
	}
	return Str(e.name + ": " + e.message)
}
