package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Client speaks to the server of a run.
type Client struct {
	address string
	http    http.Client
}

// clientTimeout limits one call. Nothing that the client asks for takes long.
const clientTimeout = 10 * time.Second

// NewClient returns a client of the run that listens on an address, HOST:PORT or
// what Listen takes.
func NewClient(address string) (*Client, error) {
	address, err := withHost(address)
	if err != nil {
		return nil, err
	}
	// A proxy of the environment is not for a process beside this one.
	return &Client{address, http.Client{Timeout: clientTimeout, Transport: &http.Transport{DisableKeepAlives: true}}}, nil
}

// Status returns what the run is doing.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var d document[resource[Status]]
	err := c.do(ctx, http.MethodGet, "/v1/status", nil, &d)
	return d.Data.Attributes, err
}

// Change changes the run and returns its status at that instant.
func (c *Client) Change(ctx context.Context, change Change) (Status, error) {
	var d document[resource[Status]]
	err := c.do(ctx, http.MethodPatch, "/v1/status", document[resource[Change]]{resource[Change]{statusType, statusID, change}}, &d)
	return d.Data.Attributes, err
}

// NamedMetric is a metric with its name.
type NamedMetric struct {
	Name string `json:"name"`
	Metric
}

// Metrics returns the metrics that have samples.
func (c *Client) Metrics(ctx context.Context) ([]NamedMetric, error) {
	var d document[[]resource[Metric]]
	if err := c.do(ctx, http.MethodGet, "/v1/metrics", nil, &d); err != nil {
		return nil, err
	}
	list := make([]NamedMetric, len(d.Data))
	for i, m := range d.Data {
		list[i] = NamedMetric{m.ID, m.Attributes}
	}
	return list, nil
}

// do sends a request and decodes the answer.
func (c *Client) do(ctx context.Context, method, path string, body, answer any) error {
	var content io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.address+path, content)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return c.unreachable(err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxBody))
	if err != nil {
		return fmt.Errorf("reading the answer of %s: %w", c.address, err)
	}
	if res.StatusCode != http.StatusOK {
		return refusal(res, b)
	}
	if err := json.Unmarshal(b, answer); err != nil {
		return fmt.Errorf("what listens on %s is not jsload: %w", c.address, err)
	}
	return nil
}

func (c *Client) unreachable(err error) error {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return fmt.Errorf("no test can be reached on %s (%w): was one started with --address %[1]s?", c.address, op.Err)
	}
	return fmt.Errorf("asking the test on %s: %w", c.address, err)
}

// refusal is what a server says against a request.
func refusal(res *http.Response, body []byte) error {
	var p problems
	if json.Unmarshal(body, &p) != nil || len(p.Errors) == 0 {
		return fmt.Errorf("the answer is %s", res.Status)
	}
	return errors.New(p.Errors[0].Detail)
}
