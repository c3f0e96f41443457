package cli

import (
	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu/options"
)

// thresholdDefinition hands a threshold of the options to what judges it.
func thresholdDefinition(t options.Threshold) threshold.Definition {
	d := threshold.Definition{
		Source: t.Source, AbortOnFail: t.AbortOnFail, DelayAbortEval: t.DelayAbortEval.V.Std(),
		Strict: t.Strict, Window: t.Window.V.Std(),
	}
	for _, stage := range t.ExcludeStages {
		d.ExcludeStages = append(d.ExcludeStages, int(stage))
	}
	return d
}
