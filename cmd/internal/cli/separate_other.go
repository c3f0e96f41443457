//go:build !unix

package cli

import "os/exec"

// separate does nothing where there are no process groups.
func separate(*exec.Cmd) {}
