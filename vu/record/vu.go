// Hot path: a steady iteration with known tags records without allocating.

package record

import (
	"strconv"

	"github.com/jsload/jsload/metrics"
)

// Stage is a part of the test outside scenarios.
type Stage string

// The stages. Their samples carry the group ::setup or ::teardown and no scenario.
const (
	Setup    Stage = "setup"
	Teardown Stage = "teardown"
)

// VU records what one virtual user does. It is used by one goroutine at a time.
//
// Its base tags are layered: the run's, then the scenario's, then scenario and
// group, then what the script sets on the VU. Tags of a single request, check or
// sample lie on top.
type VU struct {
	recorder *Recorder
	shard    *metrics.Shard
	id       uint64

	base metrics.TagSet
	// group is the node of the tree where checks are counted; nil if the tree is
	// not kept or stage has not yet been entered into it.
	group *metrics.Group
	stage Stage

	// script is the metadata that the script set, meta that of samples: with vu
	// and iter, as far as they are on. meta is made when an iteration starts, and
	// only if an output reads raw samples.
	script, meta metrics.TagSet
	iteration    int64
	late         int64

	// checks are the last ones that were new, nextCheck the place of the latest.
	checks    [4]knownCheck
	nextCheck int
}

// VU returns the writer of the virtual user with this number, counted from 1 (0
// in init, setup and teardown). Until SetScenario or SetStage is called it has
// the run's tags alone.
func (r *Recorder) VU(id uint64) *VU {
	v := &VU{recorder: r, id: id}
	v.reset(r.run)
	return v
}

// reset begins anew with the given base tags.
func (v *VU) reset(base metrics.TagSet) {
	v.shard = v.recorder.store.Shard(int(v.id % (1 << 30)))
	v.base, v.stage, v.late, v.iteration = base, "", -1, -1
	v.script, v.meta = metrics.TagSet{}, metrics.TagSet{}
	v.group = nil
	if v.recorder.system.Has(metrics.TagGroup) {
		v.group = v.recorder.store.Root()
	}
}

// SetScenario binds the VU to a scenario. Tags and metadata that the script set
// before are gone.
func (v *VU) SetScenario(s *Scenario) { v.reset(s.tags) }

// SetStage binds the VU to setup or teardown.
func (v *VU) SetStage(stage Stage) {
	base := v.recorder.run
	if v.recorder.system.Has(metrics.TagGroup) {
		base = base.With("group", metrics.GroupSeparator+string(stage))
	}
	v.reset(base)
	v.stage = stage
	if v.recorder.aside {
		v.shard = v.recorder.store.Aside()
	}
}

// Tags returns the current base tags.
func (v *VU) Tags() metrics.TagSet { return v.base }

// SetTag sets a tag for all later samples, until the scenario changes.
func (v *VU) SetTag(key, value string) { v.base = v.base.With(key, value) }

// DeleteTag removes a tag, whoever set it.
func (v *VU) DeleteTag(key string) { v.base = v.base.Without(key) }

// Metadata returns the current metadata, vu and iter included.
func (v *VU) Metadata() metrics.TagSet { return v.metadata() }

// SetMetadata sets a pair that later samples carry beside their tags.
func (v *VU) SetMetadata(key, value string) {
	hidden := v.recorder.hidden
	v.script = v.script.With(hidden(key), hidden(value))
	v.remember()
}

// DeleteMetadata removes a pair of the metadata.
func (v *VU) DeleteMetadata(key string) {
	v.script = v.script.Without(key)
	v.remember()
}

// remember makes the metadata of the samples to come if anything reads it.
func (v *VU) remember() {
	if v.recorder.store.Tapped() {
		v.meta = v.metadata()
	}
}

func (v *VU) metadata() metrics.TagSet {
	meta := v.script
	if v.recorder.system.Has(metrics.TagVU) && v.id > 0 {
		meta = meta.With("vu", strconv.FormatUint(v.id, 10))
	}
	if v.recorder.system.Has(metrics.TagIter) && v.iteration >= 0 {
		meta = meta.With("iter", strconv.FormatInt(v.iteration, 10))
	}
	return meta
}

// StartIteration tells that the VU's n-th iteration begins, counted from 0. late
// is how late, in nanoseconds, if the scenario is an open model, which records
// iteration_start_delay; negative otherwise.
func (v *VU) StartIteration(n, late int64) {
	v.iteration, v.late = n, late
	v.remember()
	if late >= 0 {
		v.time(v.stamp(), v.recorder.builtin.IterationStartDelay, late)
	}
}

// EndIteration records a complete iteration that ran from start to end, both in
// nanoseconds since the epoch. It is not called for one that was interrupted.
func (v *VU) EndIteration(start, end int64) {
	v.shard.Iteration(end, end-start, v.base, v.meta)
}

// Data records the bytes that went over the VU's sockets since the last call. It
// is called once per iteration, setup and teardown, also when both are zero.
func (v *VU) Data(sent, received int64) {
	v.shard.Data(v.stamp(), sent, received, v.base, v.meta)
}

// Add records one value of a metric with further tags. NaN is ignored.
func (v *VU) Add(m *metrics.Metric, value float64, tags ...metrics.Tag) {
	v.Sample(v.stamp(), m, value, v.base.Extend(tags...))
}

// stamp returns the time to put on a sample: only outputs look at it, so the clock
// is not read without them.
func (v *VU) stamp() int64 {
	if v.recorder.store.Tapped() {
		return v.recorder.epoch.Now()
	}
	return 0
}

// Sample records one value with exactly these tags, which the caller has grown
// from Tags: for protocols that record many samples of one kind.
func (v *VU) Sample(at int64, m *metrics.Metric, value float64, tags metrics.TagSet) {
	v.shard.Sample(at, m, value, tags, v.meta)
}

// time records nanoseconds with the base tags.
func (v *VU) time(at int64, m *metrics.Metric, ns int64) {
	v.shard.Sample(at, m, float64(ns)/1e6, v.base, v.meta)
}

// System returns the pairs whose system tag is on, for Add and for sets that
// protocols make.
func (v *VU) System(pairs ...SystemTag) []metrics.Tag {
	on := make([]metrics.Tag, 0, len(pairs))
	for _, p := range pairs {
		if v.recorder.system.Has(p.Tag) {
			on = append(on, metrics.Tag{Key: p.Tag.String(), Value: p.Value})
		}
	}
	return on
}

// SystemTag is one system tag with its value.
type SystemTag struct {
	Tag   metrics.SystemTags
	Value string
}

// Under calls f with other base tags, which an asynchronous operation took from
// Tags when it began.
func (v *VU) Under(base metrics.TagSet, f func()) {
	now := v.base
	v.base = base
	defer func() { v.base = now }()
	f()
}
