package record

import (
	"testing"
	"time"

	"github.com/jsload/jsload/metrics"
)

// A closed loop that expects a request every 2 ms and waits 9 ms for one has kept
// four others back, which would have waited 7, 5, 3 and 1 ms.
func TestLatencyCorrection(t *testing.T) {
	store := metrics.NewStore(metrics.Config{Registry: metrics.NewRegistry(), Epoch: metrics.NewEpoch(time.Now()), Shards: 1})
	b := &bench{New(Config{Store: store, Expected: 2 * time.Millisecond}), store, store.AddTap(0)}
	corrected := store.Registry().Lookup(CorrectedDuration)
	v := b.vu(nil)
	v.HTTP(nil, exchange(200), &Request{})
	name := CorrectedDuration
	want(t, b.samples(corrected), name+" 9", name+" 7", name+" 5", name+" 3", name+" 1")
	quick := exchange(200)
	quick.Timings.Waiting, quick.Timings.Receiving, quick.Timings.Sending = 2e6, 0, 0
	v.HTTP(nil, quick, &Request{})
	want(t, b.samples(corrected), name+" 2")
	v.StartIteration(1, 0) // an open loop has its own numbers
	v.HTTP(nil, exchange(200), &Request{})
	want(t, b.samples(corrected))
	v.SetStage(Setup)
	v.HTTP(nil, exchange(200), &Request{})
	want(t, b.samples(corrected))
	if s := store.Snapshot().Find(b.Builtin().HTTPReqDuration, ""); s.Samples != 4 || s.Dist.Min() != 2 {
		t.Errorf("the uncorrected numbers changed: %+v", s)
	}
}

func TestNoCorrectionByDefault(t *testing.T) {
	b := newBench(0, nil)
	if b.store.Registry().Lookup(CorrectedDuration) != nil {
		t.Error("the corrected metric exists without being asked for")
	}
}
