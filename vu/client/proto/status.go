package proto

import (
	"net/http"
	"strconv"
)

// StatusText returns the status with its usual reason, such as "404 Not Found"; it
// is empty for a status that has none. It does not allocate.
func StatusText(status int) string {
	if 0 <= status && status < len(statusTexts) {
		return statusTexts[status]
	}
	return ""
}

// statusTexts holds the texts by status; it is never changed.
var statusTexts = func() (t [600]string) {
	for code := range t {
		if reason := http.StatusText(code); reason != "" {
			t[code] = strconv.Itoa(code) + " " + reason
		}
	}
	return t
}()
