package client

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/jsload/jsload/vu/client/proto"
)

// Encoding is a content coding by its name in headers.
type Encoding string

// The content codings that are encoded and decoded.
const (
	Gzip    Encoding = "gzip"
	Deflate Encoding = "deflate" // the zlib form
	Brotli  Encoding = "br"
	Zstd    Encoding = "zstd"
)

// ParseEncodings reads a comma-separated list such as "gzip, br"; the body is
// encoded in that order. The empty list is nil.
func ParseEncodings(list string) ([]Encoding, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var encodings []Encoding
	for name := range strings.SplitSeq(list, ",") {
		e := Encoding(strings.TrimSpace(name))
		switch e {
		case Gzip, Deflate, Brotli, Zstd:
			encodings = append(encodings, e)
		default:
			return nil, fmt.Errorf("unknown compression algorithm %q", string(e))
		}
	}
	return encodings, nil
}

// encode applies encodings in order.
func encode(body []byte, encodings []Encoding) ([]byte, error) {
	for _, e := range encodings {
		var b bytes.Buffer
		w, err := encoder(&b, e)
		if err != nil {
			return nil, err
		}
		if _, err = w.Write(body); err == nil {
			err = w.Close()
		}
		if err != nil {
			return nil, err
		}
		body = b.Bytes()
	}
	return body, nil
}

func encoder(w io.Writer, e Encoding) (io.WriteCloser, error) {
	switch e {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Deflate:
		return zlib.NewWriter(w), nil
	case Brotli:
		return brotli.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return nil, fmt.Errorf("unknown compression algorithm %q", string(e))
}

func joinEncodings(encodings []Encoding) string {
	names := make([]string, len(encodings))
	for i, e := range encodings {
		names[i] = string(e)
	}
	return strings.Join(names, ", ")
}

// decode undoes the codings that a response names, last first, up to the first
// one it does not know.
func decode(body []byte, h proto.Header) ([]byte, error) {
	if len(body) == 0 {
		return body, nil
	}
	names := strings.Split(strings.Join(h.Values("Content-Encoding"), ","), ",")
	for i := len(names) - 1; i >= 0; i-- {
		e := Encoding(strings.ToLower(strings.TrimSpace(names[i])))
		if e == "identity" || e == "" {
			continue
		}
		r, err := decoder(bytes.NewReader(body), e)
		if r == nil && err == nil {
			return body, nil
		}
		if err == nil {
			body, err = io.ReadAll(r)
		}
		if err != nil {
			return nil, &proto.Error{
				Code:  proto.CodeBadContentEncoded,
				Text:  fmt.Sprintf("decompressing the response body (%s): %v", e, err),
				Cause: err,
			}
		}
	}
	return body, nil
}

// decoder returns nil for a coding it does not know.
func decoder(r io.Reader, e Encoding) (io.Reader, error) {
	switch e {
	case Gzip, "x-gzip":
		return gzip.NewReader(r)
	case Deflate:
		return zlib.NewReader(r)
	case Brotli:
		return brotli.NewReader(r), nil
	case Zstd:
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, nil
}
