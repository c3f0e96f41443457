// Package proto is the vocabulary of one HTTP exchange: what is sent, what comes
// back, how long each phase took, and how a failure is named.
//
// vu/client and its protocol packages fill these values in; vu/record, the native
// tier and the script modules read them. It does no I/O and imports nothing of ours.
package proto

// Timings says when an exchange ran and how long its phases took. Every member
// is in nanoseconds; Start and End count from the run's epoch. Phases that were
// not reached, or cost nothing because a connection was reused, are zero.
type Timings struct {
	// Start is when the exchange was handed to the transport, End when its last
	// byte was read or it failed.
	Start, End int64
	// Blocked is the time until a connection was ready, name resolution, dialing
	// and TLS included.
	Blocked int64
	// Connecting is the TCP connect alone, TLSHandshaking the handshake alone.
	// Both are parts of Blocked.
	Connecting, TLSHandshaking int64
	// Sending runs from the connection being ready to the request being written,
	// Waiting from there to the first byte of the answer, Receiving from there to
	// the end of the body.
	Sending, Waiting, Receiving int64
}

// Duration is the time of the exchange itself, without getting a connection.
func (t *Timings) Duration() int64 { return t.Sending + t.Waiting + t.Receiving }

// Settle sets Sending, Waiting, Receiving and End from the instants that were
// reached, in nanoseconds since the epoch: the connection being ready, the request
// being written, the first byte of the answer and the end. sent and first are zero
// if they were not reached; an answer may come before the request is written.
func (t *Timings) Settle(ready, sent, first, last int64) {
	if first > 0 && (sent == 0 || sent > first) {
		sent = first
	}
	t.End = last
	switch {
	case sent == 0:
		t.Sending = last - ready
	case first == 0:
		t.Sending, t.Waiting = sent-ready, last-sent
	default:
		t.Sending, t.Waiting, t.Receiving = sent-ready, first-sent, last-first
	}
}

// Exchange is what the metrics need to know about one request and its answer.
// A redirect or an authentication round makes several of them.
type Exchange struct {
	// Method is as written by the script; it is not upper-cased.
	Method string
	// URL is the absolute address of this hop, credentials masked as ****:****
	// and without fragment.
	URL string
	// Proto is "HTTP/1.1", "HTTP/2.0" or the like. It is empty when no answer was understood.
	Proto string
	// Status is zero when the exchange failed, even if a status line had come.
	Status int
	// StatusText is the status with its reason, such as "404 Not Found".
	StatusText string
	Timings    Timings
	// Err is nil unless the exchange failed. A status is never an error.
	Err *Error
	// RemoteIP and RemotePort name the peer, which is the proxy's end of the
	// connection when there is one. They are zero when no connection was made.
	RemoteIP   string
	RemotePort int
	// TLSVersion is "tls1.3" or the like and TLSCipher the IANA name of the
	// suite. Both are empty without TLS.
	TLSVersion, TLSCipher string
	// Sent and Received are bytes on the wire, TLS records and, for the first
	// exchange of a connection, the handshake included.
	Sent, Received int64
	// Reused is true when the connection had carried an exchange before.
	Reused bool
	// Challenge is true for the 401 that an authentication scheme expects before
	// it can answer; that answer is no failure.
	Challenge bool
	// Retries counts the tries before this one: at most one on a stale connection,
	// and those that an HTTP/2 server refused to begin with.
	Retries int
}

// ErrorCode is the value of the error_code tag: the code of Err, 1000 plus the
// status from 400 on, else zero.
func (x *Exchange) ErrorCode() int {
	switch {
	case x.Err != nil:
		return x.Err.Code
	case x.Status >= 400:
		return 1000 + x.Status
	}
	return 0
}
