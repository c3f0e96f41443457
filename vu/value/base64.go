// Package value is the pure part of the script API: what needs neither a
// JavaScript engine nor a virtual user.
//
// Native modules wrap it for scripts; the native tier calls it directly.
package value

import (
	"encoding/base64"
	"fmt"
)

// Base64 returns the encoding of a name that scripts use: "std", "rawstd",
// "url" or "rawurl". Any other name, the empty one included, means "std".
func Base64(name string) *base64.Encoding {
	switch name {
	case "rawstd":
		return base64.RawStdEncoding
	case "url":
		return base64.URLEncoding
	case "rawurl":
		return base64.RawURLEncoding
	}
	return base64.StdEncoding
}

// DecodeBase64 decodes s in the named encoding.
func DecodeBase64(s, name string) ([]byte, error) {
	b, err := Base64(name).DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("decoding base64: %w", err)
	}
	return b, nil
}
