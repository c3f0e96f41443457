// Command jsload is a scriptable load tester.
package main

import (
	"os"

	"github.com/jsload/jsload/cmd/internal/cli"
	"github.com/jsload/jsload/cmd/internal/env"
)

func main() {
	os.Exit(cli.Main(env.OS()))
}
