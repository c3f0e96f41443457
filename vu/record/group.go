// Hot path: entering a known group and recording a known check allocate nothing.

package record

import "github.com/jsload/jsload/metrics"

// GroupScope is a group that a VU is in.
type GroupScope struct {
	start  int64
	parent *metrics.Group
	// tag is the group tag to restore, had whether there was one.
	tag string
	had bool
}

// EnterGroup makes the group of this name inside the current one the VU's group.
// An empty name stays in the current group. It fails if the name holds "::".
// The scope goes back to LeaveGroup, innermost first.
func (v *VU) EnterGroup(name string) (GroupScope, error) {
	scope := GroupScope{start: v.recorder.epoch.Now(), parent: v.group}
	child, err := v.node().Child(v.recorder.hidden(name))
	if err != nil {
		return GroupScope{}, err
	}
	scope.tag, scope.had = v.base.Get("group")
	if v.recorder.system.Has(metrics.TagGroup) && name != "" {
		v.group = child
		v.base = v.base.With("group", child.Path)
	}
	return scope, nil
}

// LeaveGroup records group_duration, tagged with the group that is left, and goes
// back to the group around it.
func (v *VU) LeaveGroup(s GroupScope) {
	end := v.recorder.epoch.Now()
	v.time(end, v.recorder.builtin.GroupDuration, end-s.start)
	v.group = s.parent
	switch {
	case !v.recorder.system.Has(metrics.TagGroup):
	case s.had:
		v.base = v.base.With("group", s.tag)
	default:
		v.base = v.base.Without("group")
	}
}

// node returns the VU's place in the tree of groups. The groups of setup and
// teardown enter the tree with their first check or group. Without the group tag
// there is no tree: names are then checked against a node that is thrown away.
func (v *VU) node() *metrics.Group {
	if v.group == nil {
		return metrics.NewGroup()
	}
	if v.stage != "" && v.group == v.recorder.store.Root() {
		v.group, _ = v.group.Child(string(v.stage))
	}
	return v.group
}

// Check records the result of the check of this name in the current group, with
// further tags. It fails if the name holds "::".
func (v *VU) Check(name string, ok bool, tags ...metrics.Tag) error {
	if len(tags) == 0 {
		for i := range v.checks {
			if k := &v.checks[i]; k.name == name && k.base == v.base && k.group == v.group {
				v.shard.Check(v.stamp(), k.check, ok, k.tags, v.meta)
				return nil
			}
		}
	}
	k, err := v.newCheck(name, tags)
	if err != nil {
		return err
	}
	if len(tags) == 0 {
		v.nextCheck = (v.nextCheck + 1) % len(v.checks)
		v.checks[v.nextCheck] = k
	}
	v.shard.Check(v.stamp(), k.check, ok, k.tags, v.meta)
	return nil
}

// knownCheck is a check that a VU has recorded, so that it finds it again without
// the tree's lock.
type knownCheck struct {
	base  metrics.TagSet
	group *metrics.Group
	name  string
	check *metrics.Check
	tags  metrics.TagSet
}

func (v *VU) newCheck(name string, tags []metrics.Tag) (knownCheck, error) {
	c, err := v.node().Check(v.recorder.hidden(name))
	if err != nil {
		return knownCheck{}, err
	}
	set := v.base.Extend(tags...)
	if v.recorder.system.Has(metrics.TagCheck) {
		set = set.With("check", name)
	}
	if !v.recorder.system.Has(metrics.TagCheck | metrics.TagGroup) {
		c = nil
	}
	return knownCheck{v.base, v.group, name, c, set}, nil
}
