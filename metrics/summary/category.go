package summary

import (
	"cmp"
	"slices"
	"strings"
)

// category is a heading under which the text summary lists metrics, in the
// order of the constants.
type category uint8

const (
	catCustom category = iota
	catHTTP
	catExecution
	catNetwork
	catBrowser
	catWebVitals
	catGRPC
	catWebSocket
	numCategories
	// catOwn are metrics beyond the reference's; they have a section of their own.
	catOwn
	// catHidden are shown elsewhere (checks) or not at all.
	catHidden
)

var categoryTitles = [numCategories]string{
	catCustom: "CUSTOM", catHTTP: "HTTP", catExecution: "EXECUTION", catNetwork: "NETWORK",
	catBrowser: "BROWSER", catWebVitals: "WEB_VITALS", catGRPC: "GRPC", catWebSocket: "WEBSOCKET",
}

// builtinCategory returns the category of a built-in metric; all other names are
// custom.
func builtinCategory(name string) category {
	switch name {
	case "checks", "group_duration":
		return catHidden
	case "http_reqs", "http_req_failed", "http_req_duration":
		return catHTTP
	case "iterations", "iteration_duration", "dropped_iterations", "vus", "vus_max":
		return catExecution
	case "data_sent", "data_received":
		return catNetwork
	case "browser_data_sent", "browser_data_received", "browser_http_req_duration", "browser_http_req_failed":
		return catBrowser
	case "browser_web_vital_ttfb", "browser_web_vital_lcp", "browser_web_vital_cls",
		"browser_web_vital_inp", "browser_web_vital_fcp":
		return catWebVitals
	case "grpc_req_duration", "grpc_streams", "grpc_streams_msgs_sent", "grpc_streams_msgs_received":
		return catGRPC
	case "ws_sessions", "ws_msgs_sent", "ws_msgs_received", "ws_connecting", "ws_session_duration", "ws_ping":
		return catWebSocket
	case "http_req_response_time", "iteration_start_delay":
		return catOwn
	}
	if isPhase(name) {
		return catHTTP
	}
	if strings.HasPrefix(name, "jsload_") {
		return catOwn
	}
	return catCustom
}

// isPhase reports whether the metric times one phase of a request; the compact
// summary leaves these out.
func isPhase(name string) bool {
	switch name {
	case "http_req_blocked", "http_req_connecting", "http_req_tls_handshaking",
		"http_req_sending", "http_req_waiting", "http_req_receiving":
		return true
	}
	return false
}

// family is the name of a metric without the conditions of a sub-metric.
func (m *Metric) family() string { return cmp.Or(m.Parent, m.Name) }

// standingSub is the one sub-metric that exists without being asked for.
const standingSub = "http_req_duration{expected_response:true}"

// visible reports whether the text summary lists the metric in this mode. The
// sub-metrics of thresholds are in the list of thresholds, so that the compact
// summary does not repeat them.
func visible(m *Metric, mode Mode) bool {
	if builtinCategory(m.family()) >= numCategories {
		return false
	}
	return mode == Full || !isPhase(m.family()) && (m.Parent == "" || m.Name == standingSub)
}

// sortMetrics orders metrics by name, each followed by its sub-metrics.
func sortMetrics(ms []Metric) {
	slices.SortStableFunc(ms, func(a, b Metric) int {
		return cmp.Or(
			compareNames(a.family(), b.family()),
			compareNames(a.Suffix, b.Suffix),
		)
	})
}

// compareNames orders names as people expect: signs before digits before
// letters, letters without regard to case unless nothing else differs.
func compareNames(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if c := cmp.Compare(collation(a[i]), collation(b[i])); c != 0 {
			return c
		}
	}
	// Lower case goes first, the reverse of the bytes' order.
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(b, a))
}

// collation is the weight of a byte; letters of both cases weigh the same.
func collation(c byte) int {
	switch {
	case 'A' <= c && c <= 'Z':
		return 1000 + int(c-'A')
	case 'a' <= c && c <= 'z':
		return 1000 + int(c-'a')
	case '0' <= c && c <= '9':
		return 500 + int(c)
	}
	if c >= 0x80 {
		return 2000 + int(c)
	}
	return int(c)
}
