package plan

// Reading of properties.
const (
	OpGet   Op = "get"
	OpIndex Op = "index"
	OpChain Op = "chain"
)

var memberOps = []OpInfo{
	{OpGet, 1, 1, Any, true, "the property of that name; throws for undefined and null"},
	{OpIndex, 2, 2, Any, false, "the property that the second argument names; throws for undefined and null"},
	{OpChain, 1, 1, Any, true, "the property of that name, or undefined for undefined and null"},
}

// Reading of responses. The first argument is always a slot of type response.
const (
	OpStatus     Op = "response.status"
	OpBody       Op = "response.body"
	OpTiming     Op = "response.timing"
	OpHeader     Op = "response.header"
	OpJSON       Op = "response.json"
	OpError      Op = "response.error"
	OpErrorCode  Op = "response.error_code"
	OpURL        Op = "response.url"
	OpStatusText Op = "response.status_text"
	OpProto      Op = "response.proto"
	OpRemoteIP   Op = "response.remote_ip"
	OpRemotePort Op = "response.remote_port"
	OpTLSVersion Op = "response.tls_version"
	OpTLSCipher  Op = "response.tls_cipher_suite"
)

var responseOps = []OpInfo{
	{OpStatus, 1, 1, Number, false, "the status, 0 if there was no answer"},
	{OpBody, 1, 1, Any, false, "the body as text, or null"},
	{OpTiming, 1, 1, Number, true, "a phase of the request in milliseconds"},
	{OpHeader, 1, 1, Any, true, "the header field of exactly that name, or undefined"},
	{OpJSON, 1, 2, Any, false, "the body read as JSON, or what a selector finds in it"},
	{OpError, 1, 1, String, false, "why there was no answer, or the empty text"},
	{OpErrorCode, 1, 1, Number, false, "the code of the error, or 0"},
	{OpURL, 1, 1, String, false, "the final address"},
	{OpStatusText, 1, 1, String, false, "the status with its reason"},
	{OpProto, 1, 1, String, false, "the protocol of the answer"},
	{OpRemoteIP, 1, 1, String, false, "the address of the peer"},
	{OpRemotePort, 1, 1, Number, false, "the port of the peer"},
	{OpTLSVersion, 1, 1, String, false, "the version of TLS, or the empty text"},
	{OpTLSCipher, 1, 1, String, false, "the cipher suite of TLS, or the empty text"},
}

// Timings are the phases that a response has.
func Timings() []string {
	return []string{"duration", "blocked", "looking_up", "connecting", "tls_handshaking", "sending", "waiting", "receiving"}
}
