package globals

import (
	"time"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/metrics"
)

// performance is the global of that name: a clock that counts milliseconds from
// the start of the run, with fractions.
func (i *instance) performance() goja.Value {
	epoch := i.host.Run.Epoch
	if epoch == (metrics.Epoch{}) { // options are being read: there is no run yet
		epoch = metrics.NewEpoch(time.Now())
	}
	origin := i.rt.ToValue(float64(epoch.Time(0).UnixNano()/1000) / 1000)
	o := i.rt.NewObject()
	_ = o.Set("timeOrigin", origin)
	_ = o.Set("now", func(goja.FunctionCall) goja.Value { return i.rt.ToValue(float64(epoch.Now()) / 1e6) })
	_ = o.Set("toJSON", func(goja.FunctionCall) goja.Value {
		j := i.rt.NewObject()
		_ = j.Set("timeOrigin", origin)
		return j
	})
	return o
}
