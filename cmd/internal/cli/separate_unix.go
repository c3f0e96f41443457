//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// separate gives the child a process group of its own: a Ctrl-C in the terminal
// must end the test first and the target after it.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
