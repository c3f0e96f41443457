package cli

import (
	"fmt"
	"strings"
	"time"
)

// correctionValue is the flag --latency-correction=expected=10ms.
type correctionValue struct{ expected time.Duration }

// leastExpected bounds the samples that a stalled server makes: one for each
// expected interval of each virtual user.
const leastExpected = time.Millisecond

// String implements pflag.Value.
func (c *correctionValue) String() string {
	if c.expected == 0 {
		return ""
	}
	return "expected=" + c.expected.String()
}

// Type implements pflag.Value.
func (c *correctionValue) Type() string { return "expected=TIME" }

// Set implements pflag.Value.
func (c *correctionValue) Set(text string) error {
	value, ok := strings.CutPrefix(text, "expected=")
	if !ok {
		return fmt.Errorf("%q must be expected=TIME: the time between two requests of a VU, such as expected=10ms", text)
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < leastExpected {
		return fmt.Errorf("%q must be a time of at least %v, such as 10ms", value, leastExpected)
	}
	c.expected = d
	return nil
}
