package value

// Date is a date object. It is a Host.
type Date struct{ ms float64 }

// Class is Date.
func (*Date) Class() string { return "Date" }
