// Command compare measures what a request costs jsload and wrk in processor time,
// against the same lean target, one after the other and in pairs.
//
// make compare calls it. It runs all three as processes: jsload's target on one
// CPU, the tool that is measured on another. Requests are counted by the target, not
// by the tools. It judges nothing; it prints every run and the ratios.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	var c comparison
	jsload := flag.String("jsload", "bin/jsload", "the jsload to measure")
	connections := flag.String("connections", "64,256", "numbers of connections, one comparison each")
	flag.IntVar(&c.pairs, "pairs", 7, "how often each tool runs per comparison")
	flag.DurationVar(&c.length, "length", 5*time.Second, "length of a run")
	flag.Parse()
	c.out = os.Stdout
	err := func() (err error) {
		if c.jsload, err = filepath.Abs(*jsload); err != nil {
			return err
		}
		for text := range strings.SplitSeq(*connections, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is no number of connections", text)
			}
			c.connections = append(c.connections, n)
		}
		if c.pairs < 1 || c.length < time.Second {
			return fmt.Errorf("at least one pair of at least a second")
		}
		return c.run()
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}
