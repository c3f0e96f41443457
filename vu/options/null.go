package options

// Null is an option that may be unset. Its zero value is unset.
type Null[T any] struct {
	// V is the value; it is T's zero value while Set is false.
	V   T
	Set bool
}

// Some returns a set option.
func Some[T any](v T) Null[T] { return Null[T]{V: v, Set: true} }

// Or returns the value, or fallback if the option is unset.
func (n Null[T]) Or(fallback T) T {
	if n.Set {
		return n.V
	}
	return fallback
}

// MarshalJSON gives null for an unset option.
func (n Null[T]) MarshalJSON() ([]byte, error) {
	if !n.Set {
		return []byte("null"), nil
	}
	return encode(n.V)
}
