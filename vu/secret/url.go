package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
)

// urlConfig are the settings of a url source.
type urlConfig struct {
	URLTemplate            string
	Method                 string
	Headers                map[string]string
	ResponsePath           string
	Timeout                time.Duration
	RequestsPerMinuteLimit int
	RequestsBurst          int
	MaxRetries             int
	RetryBackoff           time.Duration
}

// maxSecret is how large an answer may be.
const maxSecret = 1 << 20

// maxDepth is how deep the JSON of an answer may be nested.
const maxDepth = 1000

// openURL reads the settings, lowest first: the defaults, the file that config
// names, the variables, the items.
func openURL(spec *Spec, cfg *Config) (Source, error) {
	u := urlConfig{
		Method: http.MethodGet, Headers: map[string]string{}, Timeout: 30 * time.Second,
		RequestsPerMinuteLimit: 300, RequestsBurst: 10, MaxRetries: 3, RetryBackoff: time.Second,
	}
	var all []pair
	given := append(variables(cfg.Vars), spec.items...)
	for _, item := range given {
		if plain(item.key) != "config" {
			continue
		}
		pairs, err := readConfig(cfg.path(item.value))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item.value, err)
		}
		all = append(all, pairs...)
	}
	for _, item := range append(all, given...) {
		if err := u.set(item); err != nil {
			return nil, err
		}
	}
	if err := u.check(); err != nil {
		return nil, err
	}
	client := cfg.Client
	if client == nil {
		client = http.DefaultClient
	}
	return &remote{
		urlConfig: u, client: client, agent: cfg.UserAgent, redactor: cfg.Redactor, known: make(map[string]*answer),
		limit: limiter{every: time.Minute / time.Duration(u.RequestsPerMinuteLimit), burst: u.RequestsBurst},
	}, nil
}

func (u *urlConfig) check() error {
	if !strings.Contains(u.URLTemplate, "{key}") {
		return errors.New("a url source needs an address with the place of the key: urlTemplate=https://HOST/PATH/{key}")
	}
	if u.RequestsPerMinuteLimit < 1 || u.RequestsBurst < 1 || u.MaxRetries < 0 || u.Timeout <= 0 || u.RetryBackoff < 0 {
		return errors.New("requestsPerMinuteLimit and requestsBurst must be 1 or more, timeout above 0, maxRetries and retryBackoff not negative")
	}
	return nil
}

// set takes one setting. Names count without regard to case, dots and
// underscores, except those of headers.
func (u *urlConfig) set(item pair) (err error) {
	if name, ok := headerName(item.key); ok {
		u.Headers[http.CanonicalHeaderKey(name)] = item.value
		return nil
	}
	switch plain(item.key) {
	case "config":
	case "urltemplate":
		u.URLTemplate = item.value
	case "method":
		u.Method = strings.ToUpper(item.value)
	case "responsepath":
		u.ResponsePath = item.value
	case "timeout":
		u.Timeout, err = time.ParseDuration(item.value)
	case "requestsperminutelimit":
		u.RequestsPerMinuteLimit, err = strconv.Atoi(item.value)
	case "requestsburst":
		u.RequestsBurst, err = strconv.Atoi(item.value)
	case "maxretries":
		u.MaxRetries, err = strconv.Atoi(item.value)
	case "retrybackoff":
		u.RetryBackoff, err = time.ParseDuration(item.value)
	case "":
		return errors.New("a url source has settings key=value only")
	default:
		return fmt.Errorf("unknown setting %q of a url source", item.key)
	}
	if err != nil {
		return fmt.Errorf("setting %s: %w", item.key, err)
	}
	return nil
}

func headerName(key string) (string, bool) {
	for _, prefix := range []string{"headers.", "HEADERS_", "HEADER_"} {
		if name, ok := strings.CutPrefix(key, prefix); ok && name != "" {
			if prefix != "headers." {
				name = strings.ReplaceAll(name, "_", "-")
			}
			return name, true
		}
	}
	return "", false
}

func plain(key string) string { return strings.ToLower(strings.ReplaceAll(key, "_", "")) }

// variables are the settings in K6_SECRET_SOURCE_URL_X and, over them,
// JSLOAD_SECRET_SOURCE_URL_X.
func variables(vars map[string]string) []pair {
	var list []pair
	for _, prefix := range []string{"K6_SECRET_SOURCE_URL_", "JSLOAD_SECRET_SOURCE_URL_"} {
		for _, name := range slices.Sorted(maps.Keys(vars)) {
			if key, ok := strings.CutPrefix(name, prefix); ok && vars[name] != "" {
				list = append(list, pair{key, vars[name]})
			}
		}
	}
	return list
}

// readConfig reads the settings in a JSON file.
func readConfig(path string) ([]pair, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var members map[string]any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&members); err != nil {
		return nil, err
	}
	var list []pair
	for _, key := range slices.Sorted(maps.Keys(members)) {
		switch v := members[key].(type) {
		case string:
			list = append(list, pair{key, v})
		case json.Number:
			list = append(list, pair{key, v.String()})
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				list = append(list, pair{key + "." + name, fmt.Sprint(v[name])})
			}
		default:
			return nil, fmt.Errorf("setting %q must be a text or a number", key)
		}
	}
	return list, nil
}

// remote asks a server for secrets. What it got is kept for the whole run: the
// virtual users of a test ask for the same few keys.
type remote struct {
	urlConfig
	client   *http.Client
	agent    string
	redactor *Redactor
	limit    limiter

	mu    sync.Mutex
	known map[string]*answer
}

// answer is a secret or the wait for one.
type answer struct {
	done  chan struct{}
	value string
	err   error
}

// Known returns a secret that the server gave before.
func (s *remote) Known(key string) (string, bool) {
	s.mu.Lock()
	a := s.known[key]
	s.mu.Unlock()
	if a == nil {
		return "", false
	}
	select {
	case <-a.done:
		return a.value, a.err == nil
	default:
		return "", false
	}
}

// Get returns a secret. Of several callers one asks the server; if it fails the
// others get its error, and the next caller asks again.
func (s *remote) Get(ctx context.Context, key string) (string, error) {
	for {
		s.mu.Lock()
		a := s.known[key]
		if a == nil {
			a = &answer{done: make(chan struct{})}
			s.known[key] = a
			s.mu.Unlock()
			return s.ask(ctx, key, a)
		}
		s.mu.Unlock()
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-a.done:
		}
		if a.err == nil || !errors.Is(a.err, errCallerLeft) {
			return a.value, a.err
		}
	}
}

// errCallerLeft says that the caller who asked the server was interrupted: that
// means nothing to those who waited for it.
var errCallerLeft = errors.New("the request was interrupted")

func (s *remote) ask(ctx context.Context, key string, a *answer) (string, error) {
	a.value, a.err = s.fetch(ctx, key)
	if a.err == nil {
		s.redactor.Add(a.value)
	} else {
		if ctx.Err() != nil {
			a.err = fmt.Errorf("%w: %w", errCallerLeft, context.Cause(ctx))
		}
		s.mu.Lock()
		delete(s.known, key)
		s.mu.Unlock()
	}
	close(a.done)
	return a.value, a.err
}

// fetch asks the server, again after failures that may pass.
func (s *remote) fetch(ctx context.Context, key string) (string, error) {
	wait := s.RetryBackoff
	for try := 0; ; try++ {
		if err := s.limit.wait(ctx); err != nil {
			return "", err
		}
		value, again, err := s.once(ctx, key)
		if err == nil || !again || try == s.MaxRetries {
			return value, err
		}
		if err := pause(ctx, wait); err != nil {
			return "", err
		}
		wait *= 2
	}
}

// once sends one request; again tells whether another could end better.
func (s *remote) once(ctx context.Context, key string) (value string, again bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	address := strings.ReplaceAll(s.URLTemplate, "{key}", percentEncode(key))
	req, err := http.NewRequestWithContext(ctx, s.Method, address, nil)
	if err != nil {
		return "", false, err
	}
	if s.agent != "" {
		req.Header.Set("User-Agent", s.agent)
	}
	for name, v := range s.Headers {
		req.Header.Set(name, v)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return "", true, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxSecret+1))
	switch {
	case err != nil:
		return "", true, err
	case resp.StatusCode == http.StatusNotFound:
		return "", false, fmt.Errorf("%w: %q", ErrNoKey, key)
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		again = resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500
		return "", again, fmt.Errorf("the server of the secret %q answered %s", key, resp.Status)
	case len(body) > maxSecret:
		return "", false, fmt.Errorf("the secret %q is larger than %d bytes", key, maxSecret)
	}
	value, err = s.extract(key, body)
	return value, false, err
}

// extract takes the secret out of an answer.
func (s *remote) extract(key string, body []byte) (string, error) {
	if s.ResponsePath == "" {
		return string(body), nil
	}
	if tooDeep(body) || !gjson.ValidBytes(body) {
		return "", fmt.Errorf("the answer for the secret %q is not JSON", key)
	}
	found := gjson.GetBytes(body, s.ResponsePath)
	if !found.Exists() || found.Type == gjson.Null {
		return "", fmt.Errorf("the answer for the secret %q has nothing at %q", key, s.ResponsePath)
	}
	return found.String(), nil
}

// tooDeep tells whether brackets are nested deeper than any honest answer: the
// reader behind it recurses. Brackets in texts count too, which harms nobody.
func tooDeep(body []byte) bool {
	depth := 0
	for _, c := range body {
		switch c {
		case '[', '{':
			if depth++; depth > maxDepth {
				return true
			}
		case ']', '}':
			depth--
		}
	}
	return false
}

// limiter lets requests pass at an even rate, after a burst.
type limiter struct {
	every time.Duration
	burst int

	mu sync.Mutex
	// due is when the next request could start if none had been saved up.
	due time.Time
}

func (l *limiter) wait(ctx context.Context) error {
	l.mu.Lock()
	now := time.Now()
	earliest := now.Add(-time.Duration(l.burst-1) * l.every)
	if l.due.Before(earliest) {
		l.due = earliest
	}
	at := l.due
	l.due = at.Add(l.every)
	l.mu.Unlock()
	return pause(ctx, at.Sub(now))
}

// pause waits, not at all if d is not above zero.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
