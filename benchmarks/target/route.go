package target

import "bytes"

// route numbers what the server keeps separate figures for.
type route int

const (
	routeOther route = iota
	routeOK
	routeSize
	routeCount
	routeStats
	routeDelay
	routeStall
	routeStatus
	routeEcho
	routeLogin
	routePrivate
	routeGzip
	routeDeflate
	routeBrotli
	routeZstd
	routeCookies
	routeRedirect
	routeClose
	routeSlow
	routeWebSocket
	routes // how many there are
)

// names are the routes as /__target/stats and the documentation call them.
func (r route) String() string {
	return [routes]string{
		"(other)", "/ok", "/size/{n}", "/__target/count", "/__target/stats",
		"/delay/{ms}", "/stall", "/status/{code}", "/echo", "/login", "/private",
		"/gzip", "/deflate", "/br", "/zstd", "/cookies", "/redirect/{n}", "/close", "/slow", "/ws",
	}[r]
}

// match finds the route of a path and the path's argument, which is what follows
// the second slash.
func match(path []byte) (route, []byte) {
	switch string(path) {
	case "/ok":
		return routeOK, nil
	case "/__target/count":
		return routeCount, nil
	case "/__target/stats":
		return routeStats, nil
	case "/stall":
		return routeStall, nil
	case "/echo":
		return routeEcho, nil
	case "/login":
		return routeLogin, nil
	case "/private":
		return routePrivate, nil
	case "/gzip":
		return routeGzip, nil
	case "/deflate":
		return routeDeflate, nil
	case "/br":
		return routeBrotli, nil
	case "/zstd":
		return routeZstd, nil
	case "/cookies":
		return routeCookies, nil
	case "/close":
		return routeClose, nil
	case "/slow":
		return routeSlow, nil
	case "/ws":
		return routeWebSocket, nil
	}
	return matchArgument(path)
}

func matchArgument(path []byte) (route, []byte) {
	if len(path) == 0 || path[0] != '/' {
		return routeOther, nil
	}
	slash := bytes.IndexByte(path[1:], '/') + 1
	if slash == 0 {
		return routeOther, nil
	}
	arg := path[slash+1:]
	switch string(path[:slash]) {
	case "/size":
		return routeSize, arg
	case "/delay":
		return routeDelay, arg
	case "/status":
		return routeStatus, arg
	case "/redirect":
		return routeRedirect, arg
	}
	return routeOther, nil
}
