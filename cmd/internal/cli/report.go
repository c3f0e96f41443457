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
	"github.com/jsload/jsload/vu/engine"
)

// report writes the summary of a run to wherever it is wanted. A test that ended
// before it began has none.
func (s *session) report(ctx context.Context, result engine.Result) error {
	if result.Snapshot == nil {
		return nil
	}
	r := summary.Build(summary.Input{
		Snapshot: result.Snapshot, Verdicts: result.Verdicts, Duration: result.Duration, Options: s.summary,
		Generator: generatorOf(result.Generator),
	})
	return errors.Join(s.writeSummary(ctx, r), s.export(r))
}

// writeSummary lets the script's handleSummary say what is written, or writes
// the summary for people. What goes wrong in the script does not change how the
// test ended: it is logged, and the summary for people is written.
func (s *session) writeSummary(ctx context.Context, r *summary.Report) error {
	if s.summary.Mode == summary.Disabled {
		return nil
	}
	files, err := s.handleSummary(ctx, r)
	if err != nil {
		s.app.report(err)
	}
	if _, wrong := errors.AsType[*js.SummaryError](err); wrong {
		return nil
	}
	if files == nil {
		color := s.app.process.Stdout.TTY && !s.summary.NoColor
		return r.WriteText(s.app.process.Stdout, color)
	}
	if err := s.app.writeResults(files.Order, files.Files); err != nil {
		s.app.report(err)
	}
	return nil
}

// handleSummary runs the init code once more, as scripts that log in it are used
// to, and then handleSummary if the script exports it.
func (s *session) handleSummary(ctx context.Context, r *summary.Report) (*js.SummaryFiles, error) {
	state := summary.State{StdoutTTY: s.app.process.Stdout.TTY, StderrTTY: s.app.process.Stderr.TTY}
	data := r.HandleSummaryData(state, nil)
	// a signal that ended the test must not end its report
	return s.test.HandleSummary(context.WithoutCancel(ctx), string(data))
}

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
