package csv

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jsload/jsload/metrics/output"
)

// config is what the user can set.
type config struct {
	name     string
	interval time.Duration
	format   timeFormat
}

// timeFormat is how timestamps are written.
type timeFormat uint8

const (
	unix timeFormat = iota
	unixMilli
	unixMicro
	unixNano
	rfc3339
	rfc3339Nano
)

var timeFormats = [...]string{
	unix: "unix", unixMilli: "unix_milli", unixMicro: "unix_micro", unixNano: "unix_nano",
	rfc3339: "rfc3339", rfc3339Nano: "rfc3339_nano",
}

// configure reads the environment and then the argument: a file name, or
// fileName=F,saveInterval=D,timeFormat=T with any of them.
func configure(p output.Params) (config, error) {
	c := config{name: "file.csv", interval: time.Second}
	for _, s := range []struct{ setting, key string }{
		{"CSV_FILENAME", "fileName"}, {"CSV_SAVE_INTERVAL", "saveInterval"}, {"CSV_TIME_FORMAT", "timeFormat"},
	} {
		if value, ok := p.Lookup(s.setting); ok && value != "" {
			if err := c.set(s.key, value); err != nil {
				return c, fmt.Errorf("%s: %w", s.setting, err)
			}
		}
	}
	if p.Argument == "" {
		return c, nil
	}
	if !strings.Contains(p.Argument, "=") {
		c.name = p.Argument
		return c, nil
	}
	for part := range strings.SplitSeq(p.Argument, ",") {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return c, fmt.Errorf("%q is not of the form key=value", part)
		}
		if err := c.set(strings.TrimSpace(key), strings.TrimSpace(value)); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *config) set(key, value string) error {
	switch key {
	case "fileName":
		c.name = value
		return nil
	case "saveInterval":
		d, err := parseInterval(value)
		c.interval = d
		return err
	case "timeFormat":
		for f, name := range timeFormats {
			if name == value {
				c.format = timeFormat(f)
				return nil
			}
		}
		return fmt.Errorf("unknown time format %q: use one of %s", value, strings.Join(timeFormats[:], ", "))
	}
	return fmt.Errorf("unknown key %q: use fileName, saveInterval or timeFormat", key)
}

// parseInterval reads 1s or a bare number of milliseconds.
func parseInterval(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if ms, numErr := strconv.ParseFloat(s, 64); numErr == nil {
		d, err = time.Duration(ms*float64(time.Millisecond)), nil
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("invalid save interval %q: it must be a time such as 1s", s)
	}
	return d, nil
}
