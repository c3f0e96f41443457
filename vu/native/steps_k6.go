// Hot path.

package native

import (
	"math"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// check records the entries one after the other. An entry that throws is recorded as
// failed; the exception goes on.
func (c *compiler) check(s *plan.Step) {
	tags, fixedTags := c.checkTags(s)
	all := c.hidden() // whether all entries hold so far, and the tags while it runs
	c.emit(func(m *machine) wait {
		m.slots[all] = value.True
		return goOn
	})
	for i := range s.Checks {
		c.checkEntry(&s.Checks[i], all, tags, fixedTags)
	}
	if slot := s.Slot; slot != plan.NoSlot {
		c.emit(func(m *machine) wait {
			m.slots[slot] = m.slots[all]
			return goOn
		})
	}
}

// hidden makes a slot of the program's own.
func (c *compiler) hidden() int {
	c.out.slots++
	return c.out.slots - 1
}

// checkTags reads the tags of a check, once if they are constant.
func (c *compiler) checkTags(s *plan.Step) (tags func(m *machine) []metrics.Tag, fixed []metrics.Tag) {
	if len(s.Args) == 0 {
		return nil, nil
	}
	given, pos := c.expr(s.Args[0]), s.Pos
	if given.isFixed {
		if fixed, err := readTags(given.fixed); err == nil {
			return nil, fixed
		}
	}
	v, slot := given.value(), c.hidden()
	c.emit(func(m *machine) wait {
		m.slots[slot] = v(m)
		_, err := readTags(m.slots[slot])
		must(pos, 0, err)
		return goOn
	})
	return func(m *machine) []metrics.Tag {
		tags, _ := readTags(m.slots[slot])
		return tags
	}, nil
}

func (c *compiler) checkEntry(k *plan.Check, all int, tags func(m *machine) []metrics.Tag, fixed []metrics.Tag) {
	name, pos := value.WellFormed(k.Name), k.Pos
	result := func(m *machine, ok bool) error {
		if tags != nil {
			return m.record.Check(name, ok, tags(m)...)
		}
		return m.record.Check(name, ok, fixed...)
	}
	c.guarded(func() {
		c.steps(k.Body)
		holds := c.expr(k.Holds).truth()
		c.emit(func(m *machine) wait {
			m.holds = holds(m)
			return goOn
		})
	}, func() {
		c.emit(func(m *machine) wait {
			_ = result(m, false)
			return goOn
		})
		c.rethrow()
	})
	c.emit(func(m *machine) wait {
		if err := result(m, m.holds); err != nil {
			raise(pos, err)
		}
		if !m.holds {
			m.slots[all] = value.False
		}
		return goOn
	})
}

// group does its body in a group of the record, which an exception leaves too.
func (c *compiler) group(s *plan.Step) {
	name, pos := c.expr(s.Args[0]).string(), s.Pos
	c.emit(func(m *machine) wait {
		scope, err := m.record.EnterGroup(value.WellFormed(name(m)))
		m.groups = append(m.groups, must(pos, scope, err))
		return goOn
	})
	c.guarded(func() { c.steps(s.Body) }, func() {
		c.emit(func(m *machine) wait {
			m.leaveGroup()
			return goOn
		})
		c.rethrow()
	})
	c.emit(func(m *machine) wait {
		m.leaveGroup()
		return goOn
	})
}

func (m *machine) leaveGroup() {
	last := len(m.groups) - 1
	m.record.LeaveGroup(m.groups[last])
	m.groups = m.groups[:last]
}

func (c *compiler) sleep(s *plan.Step) {
	seconds, pos := c.expr(s.Args[0]).number(), s.Pos
	c.emit(func(m *machine) wait {
		f := seconds(m)
		if math.IsNaN(f) || f <= 0 {
			return goOn
		}
		m.pause, m.at = time.Duration(math.MaxInt64), pos
		if f < m.pause.Seconds() {
			m.pause = time.Duration(f * float64(time.Second))
		}
		return waitSleep
	})
}
