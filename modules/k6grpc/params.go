package k6grpc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/dop251/goja"
	"google.golang.org/grpc/metadata"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu/options"
)

// defaultTimeout bounds a call that names no timeout.
const defaultTimeout = 2 * time.Minute

// callParams are the parameters of a call or a stream.
type callParams struct {
	metadata metadata.MD
	tags     []metrics.Tag
	timeout  time.Duration
	// bounded is false for streams without a timeout.
	bounded bool
	discard bool
}

// parseParams reads the params of a call; undefined and null mean none. An unknown
// member is an error: it is more likely misspelt than meant to be ignored.
func (i *instance) parseParams(v goja.Value) (*callParams, error) {
	p := &callParams{}
	if conv.IsNullish(v) {
		return p, nil
	}
	o := v.ToObject(i.rt)
	for _, key := range o.Keys() {
		v := o.Get(key)
		if v == nil || goja.IsUndefined(v) {
			continue
		}
		if err := i.parseParam(p, key, v); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (i *instance) parseParam(p *callParams, key string, v goja.Value) (err error) {
	switch key {
	case "metadata":
		p.metadata, err = i.metadata(v)
	case "tags":
		p.tags, err = modules.Tags(i.rt, v)
	case "timeout":
		p.timeout, err = duration(v)
		p.bounded = true
	case "discardResponseMessage":
		p.discard, err = boolean(key, v)
	default:
		err = fmt.Errorf("unknown param %q: known are metadata, tags, timeout and discardResponseMessage", key)
	}
	return err
}

// context is ctx with the metadata and the timeout of the call.
func (p *callParams) context(ctx context.Context) (context.Context, context.CancelFunc) {
	if len(p.metadata) > 0 {
		ctx = metadata.NewOutgoingContext(ctx, p.metadata)
	}
	if !p.bounded {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, p.timeout)
}

// metadata reads an object of metadata. The values of names that end in -bin are
// bytes.
func (i *instance) metadata(v goja.Value) (metadata.MD, error) {
	if conv.IsNullish(v) {
		return nil, nil
	}
	o, ok := v.(*goja.Object)
	if !ok {
		return nil, errors.New("invalid metadata: it must be an object")
	}
	md := make(metadata.MD)
	for _, key := range o.Keys() {
		value, err := metadataValue(key, o.Get(key))
		if err != nil {
			return nil, err
		}
		md.Append(key, value)
	}
	return md, nil
}

func metadataValue(key string, v goja.Value) (string, error) {
	if strings.HasSuffix(strings.ToLower(key), "-bin") {
		if b, ok := conv.Bytes(v); ok {
			return string(b), nil
		}
		return "", fmt.Errorf("invalid metadata: %q ends in -bin and so must be a Uint8Array or an ArrayBuffer", key)
	}
	text, err := modules.TagValue(v)
	if err != nil {
		return "", fmt.Errorf("invalid metadata: %q is neither a string nor a number nor a boolean", key)
	}
	return text, nil
}

// duration reads a timeout: milliseconds, or a string such as "5s".
func duration(v goja.Value) (time.Duration, error) {
	switch x := v.Export().(type) {
	case string:
		d, err := options.ParseDuration(x)
		if err != nil {
			return 0, fmt.Errorf("invalid timeout value: %w", err)
		}
		return d.Std(), nil
	case int64:
		return milliseconds(float64(x)), nil
	case float64:
		if !math.IsNaN(x) {
			return milliseconds(x), nil
		}
	}
	return 0, fmt.Errorf("invalid timeout value: %s is neither a number of milliseconds nor a string such as '5s'", v)
}

// milliseconds does not overflow.
func milliseconds(ms float64) time.Duration {
	const limit = float64(math.MaxInt64 / int64(time.Millisecond))
	return time.Duration(max(-limit, min(ms, limit)) * float64(time.Millisecond))
}

func boolean(key string, v goja.Value) (bool, error) {
	if b, ok := v.Export().(bool); ok {
		return b, nil
	}
	return false, fmt.Errorf("invalid %s value: %s is no boolean", key, v)
}

func text(key string, v goja.Value) (string, error) {
	if s, ok := v.(goja.String); ok {
		return s.String(), nil
	}
	return "", fmt.Errorf("invalid %s value: %s is no string", key, v)
}
