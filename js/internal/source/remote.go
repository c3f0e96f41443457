package source

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	// fetchTimeout bounds one request for a module, redirects and body included.
	fetchTimeout = 60 * time.Second
	// maxRemoteSize bounds what one remote module may hold, in bytes.
	maxRemoteSize = 64 << 20
)

// NewClient makes a client that fetches modules. Roots are the certificates it
// trusts, nil meaning those of the system; proxy chooses a proxy per request,
// nil meaning none. The insecureSkipTLSVerify of a test's options has no effect
// here: it is about the system under test, not about code.
func NewClient(roots *x509.CertPool, proxy func(*http.Request) (*url.URL, error)) *http.Client {
	return &http.Client{
		Timeout: fetchTimeout,
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			ForceAttemptHTTP2: true,
			Proxy:             proxy,
			IdleConnTimeout:   fetchTimeout,
		},
		CheckRedirect: checkRedirect,
	}
}

// Roots reads certificates in PEM form, the value of SSL_CERT_FILE.
func Roots(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read certificates: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("read certificates: %s holds none", file)
	}
	return pool, nil
}

func checkRedirect(req *http.Request, via []*http.Request) error {
	if req.URL.Scheme != "https" {
		return fmt.Errorf("redirected to %s, which is not https", req.URL)
	}
	if len(via) >= 10 {
		return errors.New("more than 10 redirects")
	}
	return nil
}

// fetchRemote gets a module over https. The address is first asked for with
// _k6=1 in its query, by which servers tell tools from browsers, and without it
// if there is nothing there.
func (s *Source) fetchRemote(ctx context.Context, u string) ([]byte, error) {
	if s.cfg.Offline {
		return s.offline(u)
	}
	data, status, err := s.get(ctx, withMark(u))
	if err == nil && status == http.StatusNotFound {
		data, status, err = s.get(ctx, u)
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return s.instead(u, err)
	case err != nil:
		return nil, err
	case status == http.StatusNotFound:
		return nil, fmt.Errorf("%s was not found (status 404): %w", u, fs.ErrNotExist)
	case status != http.StatusOK:
		return nil, fmt.Errorf("%s was answered with status %d", u, status)
	}
	s.toCache(u, data)
	return data, nil
}

// instead gives the copy of an earlier run for a module whose server cannot be
// reached, and says so; without a copy, why the server could not be reached.
func (s *Source) instead(u string, why error) ([]byte, error) {
	if _, kept := s.recorded(u); !kept {
		return nil, why
	}
	data, err := s.offline(u)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	s.notice(fmt.Sprintf("%s cannot be reached (%v); the copy of an earlier run is used", u, why))
	return data, nil
}

// withMark adds _k6=1 to the query as the address has it, without sorting or
// escaping anew what stands there.
func withMark(u string) string {
	sep := "?"
	if strings.Contains(u, "?") {
		sep = "&"
	}
	return u + sep + "_k6=1"
}

func (s *Source) get(ctx context.Context, u string) ([]byte, int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u, http.NoBody)
	if err != nil {
		return nil, 0, fmt.Errorf("bad address: %w", err)
	}
	if s.cfg.UserAgent != "" {
		req.Header.Set("User-Agent", s.cfg.UserAgent)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return nil, 0, err // net/http names method and address
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxRemoteSize+1))
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("read %s: %w", u, err)
	case len(data) > maxRemoteSize:
		return nil, 0, fmt.Errorf("%s is larger than %d MiB", u, maxRemoteSize>>20)
	}
	return data, resp.StatusCode, nil
}

// Close frees idle connections.
func (s *Source) Close() { s.client.CloseIdleConnections() }
