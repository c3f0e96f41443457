package target

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"time"

	"github.com/valyala/fasthttp"
)

// maxWait bounds how long a client can make the server wait.
const maxWait = 10 * time.Minute

// milliseconds reads a duration such as "250" or "0.5".
func milliseconds(text []byte) (time.Duration, bool) {
	ms, err := strconv.ParseFloat(string(text), 64)
	// The comparison is also false for NaN.
	ok := err == nil && ms >= 0 && ms <= float64(maxWait.Milliseconds())
	if !ok {
		return 0, false
	}
	return time.Duration(ms * float64(time.Millisecond)), true
}

// argument reads a duration from the query, or returns the default.
func argument(ctx *fasthttp.RequestCtx, name string, byDefault time.Duration) (time.Duration, bool) {
	text := ctx.QueryArgs().Peek(name)
	if text == nil {
		return byDefault, true
	}
	return milliseconds(text)
}

// delay answers after a fixed time. With jitter, the n-th such request since the
// last reset waits up to that much longer, by a draw that seed and n alone decide.
func (s *rich) delay(ctx *fasthttp.RequestCtx, arg []byte) {
	wait, ok := milliseconds(arg)
	jitter, okJitter := argument(ctx, "jitter", 0)
	seed, okSeed := decimal(ctx.QueryArgs().Peek("seed"), 1<<31)
	if !ctx.QueryArgs().Has("seed") {
		okSeed = true
	}
	if !ok || !okJitter || !okSeed {
		refuse(ctx, fasthttp.StatusBadRequest, "/delay/{ms}?jitter=MS&seed=N: times are milliseconds up to 600000, seed is a whole number")
		return
	}
	if jitter > 0 {
		wait += jitterOf(uint64(seed), s.jittered.Add(1), jitter)
	}
	s.sleep(wait)
	ctx.SetContentType(textPlain)
	ctx.SetBodyString("ok")
}

// jitterOf draws the jitter of the n-th request, from 0 to limit.
func jitterOf(seed, n uint64, limit time.Duration) time.Duration {
	return time.Duration(rand.New(rand.NewPCG(seed, n)).Float64() * float64(limit))
}

// stall freezes the whole server: no answer leaves before the time is over.
func (s *rich) stall(ctx *fasthttp.RequestCtx) {
	wait, ok := argument(ctx, "ms", time.Second)
	if !ok {
		refuse(ctx, fasthttp.StatusBadRequest, "/stall?ms=MS: at most 600000")
		return
	}
	until := s.stats.now() + int64(wait)
	for {
		old := s.frozenUntil.Load()
		if until <= old || s.frozenUntil.CompareAndSwap(old, until) {
			break
		}
	}
	ctx.SetContentType(textPlain)
	ctx.SetBodyString("thawed")
}

// closeMidBody promises more bytes than it sends and ends the connection.
func (s *rich) closeMidBody(ctx *fasthttp.RequestCtx) {
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(c net.Conn) {
		_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nServer: jsload-target\r\nContent-Type: %s\r\nContent-Length: 1024\r\n\r\n%s", textPlain, s.pattern[:512])
	})
}

// slow spreads n bytes over a time, one by one.
func (s *rich) slow(ctx *fasthttp.RequestCtx) {
	over, ok := argument(ctx, "ms", time.Second)
	n := 10
	if text := ctx.QueryArgs().Peek("n"); text != nil {
		var okN bool
		n, okN = decimal(text, 10_000)
		ok = ok && okN && n > 0
	}
	if !ok {
		refuse(ctx, fasthttp.StatusBadRequest, "/slow?ms=MS&n=BYTES: at most 600000 ms and 1 to 10000 bytes")
		return
	}
	ctx.SetContentType(textPlain)
	ctx.SetBodyStreamWriter(func(w *bufio.Writer) {
		for i := range n {
			if !s.sleep(over / time.Duration(n)) {
				return
			}
			if w.WriteByte(s.pattern[i%len(s.pattern)]) != nil || w.Flush() != nil {
				return
			}
		}
	})
}
