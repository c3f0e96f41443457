package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/metrics/summary"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/engine"
)

// report writes the summary of a run to wherever it is wanted. A test that ended
// before it began has none.
func (s *session) report(force context.Context, result engine.Result) error {
	if result.Snapshot == nil {
		return nil
	}
	r := summary.Build(summary.Input{
		Snapshot: result.Snapshot, Verdicts: result.Verdicts, Duration: result.Duration, Options: s.summary,
		Generator: generatorOf(result.Generator),
	})
	return errors.Join(s.writeSummary(force, r), s.export(r))
}

// writeSummary lets the script's handleSummary say what is written, or writes
// the summary for people. What goes wrong in the script does not change how the
// test ended: it is logged, and the summary for people is written, also if none of
// what the script wanted could be.
func (s *session) writeSummary(force context.Context, r *summary.Report) error {
	if s.summary.Mode == summary.Disabled {
		return nil
	}
	files, err := s.handleSummary(force, r)
	if err != nil && force.Err() == nil {
		s.app.report(err)
	}
	if _, wrong := errors.AsType[*js.SummaryError](err); wrong {
		return nil
	}
	if files == nil {
		return s.writeText(r)
	}
	err = s.app.writeResults(files.Order, files.Files)
	if err == nil {
		return nil
	}
	s.app.report(err)
	if _, shown := files.Files["stdout"]; shown {
		return nil
	}
	return s.writeText(r)
}

func (s *session) writeText(r *summary.Report) error {
	err := r.WriteText(s.app.process.Stdout, s.app.process.Stdout.TTY && !s.summary.NoColor)
	if err != nil {
		return fmt.Errorf("writing the summary to standard output: %w", err)
	}
	return nil
}

// handleSummary runs the init code once more, as scripts that log in it are used
// to, and then handleSummary if the script exports it. The signal that ended the
// test does not end its report; force does.
func (s *session) handleSummary(force context.Context, r *summary.Report) (*js.SummaryFiles, error) {
	if force.Err() != nil {
		return nil, nil
	}
	state := summary.State{StdoutTTY: s.app.process.Stdout.TTY, StderrTTY: s.app.process.Stderr.TTY}
	data := string(r.HandleSummaryData(state, nil))
	limit := s.test.SummaryTimeout()
	// a native function that does not end is left behind a little later
	ctx, cancel := context.WithTimeoutCause(force, limit+summaryGrace, &vu.Abort{
		Code: vu.ExitTimeout, Message: fmt.Sprintf("handleSummary() did not end within %s and is abandoned", limit)})
	defer cancel()
	return untilEnd(ctx, func(ctx context.Context) (*js.SummaryFiles, error) { return s.test.HandleSummary(ctx, data) })
}

// summaryGrace is how long after its time limit handleSummary may take to stop.
const summaryGrace = time.Second

// export writes the file of --summary-export.
func (s *session) export(r *summary.Report) error {
	if s.flags.summaryExport == "" {
		return nil
	}
	var b bytes.Buffer
	var err error
	if s.flags.machine {
		err = r.WriteMachineReadable(&b, summary.Origin{Script: string(s.test.Source), Generated: time.Now(), Version: "v" + version()})
	} else {
		err = r.WriteExport(&b, s.test.SetupData())
	}
	if err == nil {
		err = os.WriteFile(s.app.process.Path(s.flags.summaryExport), s.app.redacted(b.Bytes()), 0o666)
	}
	if err != nil {
		return fmt.Errorf("writing the summary export: %w", err)
	}
	return nil
}
