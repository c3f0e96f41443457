package metrics

// Builtin holds the metrics that exist in every run.
type Builtin struct {
	Iterations, DroppedIterations *Metric
	IterationDuration             *Metric
	// IterationStartDelay is how late iterations of arrival-rate scenarios
	// began; HTTPReqResponseTime is the request's duration with that delay
	// added, so that waiting for a free VU is not omitted.
	IterationStartDelay, HTTPReqResponseTime *Metric
	VUs, VUsMax                              *Metric
	Checks, GroupDuration                    *Metric
	DataSent, DataReceived                   *Metric

	HTTPReqs, HTTPReqFailed                                   *Metric
	HTTPReqDuration, HTTPReqBlocked, HTTPReqConnecting        *Metric
	HTTPReqTLSHandshaking                                     *Metric
	HTTPReqSending, HTTPReqWaiting, HTTPReqReceiving          *Metric
	WSSessions, WSMsgsSent, WSMsgsReceived                    *Metric
	WSConnecting, WSSessionDuration, WSPing                   *Metric
	GRPCReqDuration                                           *Metric
	GRPCStreams, GRPCStreamsMsgsSent, GRPCStreamsMsgsReceived *Metric
}

func newBuiltin(r *Registry) *Builtin {
	count := func(name string) *Metric { return r.add(name, Counter, Default) }
	bytes := func(name string) *Metric { return r.add(name, Counter, Data) }
	gauge := func(name string) *Metric { return r.add(name, Gauge, Default) }
	rate := func(name string) *Metric { return r.add(name, Rate, Default) }
	times := func(name string) *Metric {
		m := r.add(name, Trend, Time)
		m.nanos = true
		return m
	}
	return &Builtin{
		VUs:               gauge("vus"),
		VUsMax:            gauge("vus_max"),
		Iterations:        count("iterations"),
		IterationDuration: times("iteration_duration"),
		DroppedIterations: count("dropped_iterations"),

		Checks:        rate("checks"),
		GroupDuration: times("group_duration"),

		HTTPReqs:              count("http_reqs"),
		HTTPReqFailed:         rate("http_req_failed"),
		HTTPReqDuration:       times("http_req_duration"),
		HTTPReqBlocked:        times("http_req_blocked"),
		HTTPReqConnecting:     times("http_req_connecting"),
		HTTPReqTLSHandshaking: times("http_req_tls_handshaking"),
		HTTPReqSending:        times("http_req_sending"),
		HTTPReqWaiting:        times("http_req_waiting"),
		HTTPReqReceiving:      times("http_req_receiving"),

		WSSessions:        count("ws_sessions"),
		WSMsgsSent:        count("ws_msgs_sent"),
		WSMsgsReceived:    count("ws_msgs_received"),
		WSPing:            times("ws_ping"),
		WSSessionDuration: times("ws_session_duration"),
		WSConnecting:      times("ws_connecting"),

		GRPCReqDuration:         times("grpc_req_duration"),
		GRPCStreams:             count("grpc_streams"),
		GRPCStreamsMsgsSent:     count("grpc_streams_msgs_sent"),
		GRPCStreamsMsgsReceived: count("grpc_streams_msgs_received"),

		DataSent:     bytes("data_sent"),
		DataReceived: bytes("data_received"),

		IterationStartDelay: times("iteration_start_delay"),
		HTTPReqResponseTime: times("http_req_response_time"),
	}
}
