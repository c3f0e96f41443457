package plan

// Type is what is known of a value before the plan runs. The zero value is any: it
// may be anything but a response.
type Type string

// The types. Response is the result of a request; such values are only read from
// slots of that type and by the response operations.
const (
	Any      Type = ""
	Undef    Type = "undefined"
	Null     Type = "null"
	Bool     Type = "bool"
	Number   Type = "number"
	String   Type = "string"
	Array    Type = "array"
	Object   Type = "object"
	Response Type = "response"
)
