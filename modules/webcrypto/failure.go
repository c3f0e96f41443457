package webcrypto

import "fmt"

// failure is an error with a name of the Web Cryptography API, such as
// "DataError"; "TypeError" is that of JavaScript.
type failure struct{ name, text string }

// Error gives the text.
func (f *failure) Error() string { return f.name + ": " + f.text }

func fail(name, format string, args ...any) error {
	return &failure{name, fmt.Sprintf(format, args...)}
}

func notSupported(format string, args ...any) error {
	return fail("NotSupportedError", format, args...)
}
func badData(format string, args ...any) error { return fail("DataError", format, args...) }
func badUsage(usage string) error {
	return fail("SyntaxError", "the key cannot have the usage %q", usage)
}
func invalidAccess(format string, args ...any) error {
	return fail("InvalidAccessError", format, args...)
}

// operation is the error of an operation that cannot be done with what it got.
func operation(format string, args ...any) error { return fail("OperationError", format, args...) }
