package script

import (
	"context"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules"
	"github.com/jsload/jsload/vu/record"
)

// Begin calls the script's vuSetup with the setup data, in the virtual user's own
// runtime: what it keeps in module variables is there in every iteration.
func (u *Unit) Begin(ctx context.Context) error {
	u.begun = true
	return u.once(ctx, "vuSetup", modules.StageSetup)
}

// End calls the script's vuTeardown with the setup data.
func (u *Unit) End(ctx context.Context) error {
	return u.once(ctx, "vuTeardown", modules.StageTeardown)
}

// once calls an exported function outside of scenarios. Samples carry the group
// ::vuSetup or ::vuTeardown; cookies end with it as they do with an iteration.
func (u *Unit) once(ctx context.Context, name string, stage modules.Stage) error {
	fn, ok := goja.AssertFunction(u.rt.Exported(name))
	if !ok || u.rt.Broken() {
		return nil
	}
	u.release()
	if err := u.loadData(); err != nil {
		return err
	}
	u.state.Context = ctx
	u.state.Record.SetStage(record.Stage(name))
	u.state.Client.Activate(ctx)
	u.rt.Host.Stage = stage
	defer func() { u.rt.Host.Stage = modules.StageVU }()
	_, err := u.rt.Run(ctx, func() (goja.Value, error) { return fn(goja.Undefined(), u.args[:]...) })
	u.state.Client.EndIteration()
	u.recordData()
	return err
}
