package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// targetProcess is a target that runs as a child process, so that its CPU time
// is not the generator's.
type targetProcess struct {
	url   string
	cmd   *exec.Cmd
	stdin io.Closer
}

// Limits of starting and ending a target.
const (
	targetStart = 10 * time.Second
	targetEnd   = 5 * time.Second
)

// startTarget starts a target on a free port of loopback and waits until it
// listens. The target ends when its standard input does, so also if this
// process is killed.
func (a *app) startTarget(ctx context.Context, lean bool) (*targetProcess, error) {
	if a.process.Executable == "" {
		return nil, errors.New("cannot start the target: the path of jsload's own program is unknown")
	}
	args := []string{"target", "--listen", "127.0.0.1:0", "--" + flagUntilEOF}
	if lean {
		args = append(args, "--lean")
	}
	cmd := exec.Command(a.process.Executable, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = a.process.Dir, a.process.Vars.Pairs(), a.process.Stderr
	separate(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the target: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting the target: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the target: %w", err)
	}
	t := &targetProcess{cmd: cmd, stdin: stdin}
	if t.url, err = readURL(ctx, stdout); err != nil {
		if ctx.Err() == nil {
			err = fmt.Errorf("starting the target: %w", err)
		}
		return nil, errors.Join(err, t.stop())
	}
	return t, nil
}

// readURL waits for the line that says where the target listens.
func readURL(ctx context.Context, stdout io.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	ch := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(stdout).ReadString('\n')
		ch <- answer{line, err}
	}()
	select {
	case got := <-ch:
		url, ok := strings.CutPrefix(strings.TrimSpace(got.line), targetReady)
		if !ok {
			return "", errors.Join(errors.New("it ended before it listened"), ignoreEOF(got.err))
		}
		return url, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case <-time.After(targetStart):
		return "", fmt.Errorf("it did not listen within %s", targetStart)
	}
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// stop ends the target and waits for it. It kills a target that does not end.
func (t *targetProcess) stop() error {
	if t == nil {
		return nil
	}
	err := t.stdin.Close()
	timer := time.AfterFunc(targetEnd, func() { _ = t.cmd.Process.Kill() })
	defer timer.Stop()
	return errors.Join(err, t.cmd.Wait())
}
