package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/js/internal/runtime"
	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/modules/conv"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/record"
)

// Setup runs the script's setup function, if it has one, in a runtime of its
// own and keeps what it returned.
func (f *Factory) Setup(ctx context.Context) error {
	v, err := f.phase(ctx, "setup", modules.StageSetup)
	if err != nil || v == nil {
		return err
	}
	if goja.IsUndefined(v) {
		f.Data.Set(nil)
		return nil
	}
	json, err := encodeData(v)
	if err != nil {
		return err
	}
	f.Data.Set(json)
	return nil
}

// Teardown runs the script's teardown function, if it has one.
func (f *Factory) Teardown(ctx context.Context) error {
	_, err := f.phase(ctx, "teardown", modules.StageTeardown)
	return err
}

// phase calls one exported function in a new runtime. The value is nil if the
// script does not export it.
func (f *Factory) phase(ctx context.Context, name string, stage modules.Stage) (goja.Value, error) {
	rt, err := f.Program.Start(ctx, f.Run, 0)
	if err != nil {
		return nil, err
	}
	fn, ok := goja.AssertFunction(rt.Exported(name))
	if !ok {
		return nil, nil
	}
	u := f.phaseUnit(ctx, rt, stage)
	u.state.Record.SetStage(record.Stage(name))
	defer u.end()
	_, data, err := f.Data.value(rt.VM, 0)
	if err != nil {
		return nil, err
	}
	v, err := rt.Run(ctx, func() (goja.Value, error) { return fn(goja.Undefined(), data) })
	u.recordData()
	return v, f.explainStop(ctx, name, err)
}

// explainStop logs where a phase was that had to be stopped, and returns why it
// had to, also if it came to its end behind a wait that was cut short.
func (f *Factory) explainStop(ctx context.Context, name string, err error) error {
	if in, ok := errors.AsType[*runtime.Interrupted](err); ok && in.Where != "" {
		f.Run.Log.Info(name+"() was still running when it had to stop", "at", in.Where)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (f *Factory) phaseUnit(ctx context.Context, rt *runtime.Runtime, stage modules.Stage) *Unit {
	u := &Unit{factory: f, rt: rt}
	u.state = modules.VU{Context: ctx, Client: f.NewClient(0), Record: f.Run.Recorder.VU(0)}
	u.state.Client.Activate(ctx)
	rt.Host.Stage, rt.Host.VU = stage, &u.state
	return u
}

// end is the end of a phase.
func (u *Unit) end() {
	u.rt.Host.Close()
	u.state.Client.Close()
}

// SummaryResult is what handleSummary returned: where to write what.
type SummaryResult struct {
	// Files maps a path, "stdout" or "stderr" to content.
	Files map[string][]byte
	// Order lists the keys of Files as the script had them.
	Order []string
}

// HandleSummary calls the script's handleSummary with data, a JSON text. The
// result is nil if the script exports none or it returned nothing; then the
// default summary is due.
func (f *Factory) HandleSummary(ctx context.Context, data string, timeout time.Duration) (*SummaryResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, &vu.Abort{
		Code: vu.ExitTimeout, Message: fmt.Sprintf("handleSummary() did not end within %s", timeout)})
	defer cancel()
	rt, err := f.Program.Start(ctx, f.Run, 0)
	if err != nil {
		return nil, err
	}
	exported := rt.Exported("handleSummary")
	fn, ok := goja.AssertFunction(exported)
	if !ok {
		if conv.IsNullish(exported) {
			return nil, nil
		}
		return nil, errors.New("the exported handleSummary is not a function")
	}
	u := f.phaseUnit(ctx, rt, modules.StageSummary)
	defer u.end()
	arg, err := f.summaryArgument(rt.VM, data)
	if err != nil {
		return nil, err
	}
	v, err := rt.Run(ctx, func() (goja.Value, error) { return fn(goja.Undefined(), arg) })
	if err := f.explainStop(ctx, "handleSummary", err); err != nil {
		return nil, err
	}
	return summaryResult(v)
}

func (f *Factory) summaryArgument(vm *goja.Runtime, data string) (goja.Value, error) {
	arg, err := conv.ParseJSON(vm, data)
	if err != nil {
		return nil, fmt.Errorf("making handleSummary's argument: %w", err)
	}
	var setup goja.Value = goja.Undefined() // without setup() the member is there all the same
	if f.Data.JSON() != nil {
		if _, setup, err = f.Data.value(vm, 0); err != nil {
			return nil, err
		}
	}
	if err := arg.ToObject(vm).Set("setup_data", setup); err != nil {
		return nil, err
	}
	return arg, nil
}

// SummaryError says that what handleSummary returned cannot be written. Unlike
// an exception it leaves nothing to print in its place.
type SummaryError struct{ Text string }

// Error returns the text.
func (e *SummaryError) Error() string { return e.Text }

// summaryResult checks all of what handleSummary returned before any of it is
// used: one wrong value means that nothing is written.
func summaryResult(v goja.Value) (*SummaryResult, error) {
	if conv.IsNullish(v) || !v.ToBoolean() {
		return nil, nil
	}
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() == "Array" {
		return nil, fmt.Errorf("handleSummary() should return a map with string keys, such as { stdout: text, 'summary.json': text }, and returned %s", v)
	}
	r := &SummaryResult{Files: make(map[string][]byte)}
	for _, k := range o.Keys() {
		content, ok := conv.StringOrBytes(o.Get(k))
		if !ok {
			return nil, &SummaryError{fmt.Sprintf("handleSummary() returned neither a string nor an ArrayBuffer for key %q", k)}
		}
		r.Files[k] = append([]byte(nil), content...)
		r.Order = append(r.Order, k)
	}
	return r, nil
}
