package native

import (
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/value"
)

// turnsPerWait is how many turns of loops a machine makes before it lets others run.
const turnsPerWait = 256

func (c *compiler) let(s *plan.Step) {
	v, slot := c.expr(s.Args[0]).value(), s.Slot
	c.emit(func(m *machine) wait {
		m.slots[slot] = v(m)
		return goOn
	})
}

func (c *compiler) set(s *plan.Step) {
	v, slot := c.expr(s.Args[0]).value(), s.Slot
	c.emit(func(m *machine) wait {
		m.module[slot] = v(m)
		return goOn
	})
}

func (c *compiler) eval(s *plan.Step) {
	v := c.expr(s.Args[0]).value()
	c.emit(func(m *machine) wait {
		v(m)
		return goOn
	})
}

func (c *compiler) branch(s *plan.Step) {
	holds, otherwise, behind := c.expr(s.Args[0]).truth(), &target{}, &target{}
	c.emit(func(m *machine) wait {
		if !holds(m) {
			m.pc = otherwise.pc
		}
		return goOn
	})
	c.steps(s.Body)
	if len(s.Else) > 0 {
		c.jump(behind)
	}
	c.bind(otherwise)
	c.steps(s.Else)
	c.bind(behind)
}

func (c *compiler) block(s *plan.Step) {
	behind := &target{}
	c.leave[s.Label] = behind
	c.steps(s.Body)
	c.bind(behind)
}

func (c *compiler) loop(s *plan.Step) {
	top, next, behind := &target{}, &target{}, &target{}
	c.leave[s.Label], c.next[s.Label] = behind, next
	c.bind(top)
	c.steps(s.Body)
	c.bind(next)
	c.steps(s.Else)
	c.emit(func(m *machine) wait {
		m.pc = top.pc
		if m.turns++; m.turns < turnsPerWait {
			return goOn
		}
		m.turns = 0
		return waitTurn
	})
	c.bind(behind)
}

func (c *compiler) leaveBlock(s *plan.Step) { c.jump(c.leave[s.Label]) }

func (c *compiler) nextTurn(s *plan.Step) { c.jump(c.next[s.Label]) }

func (c *compiler) throw(s *plan.Step) {
	v, pos := c.expr(s.Args[0]).value(), s.Pos
	c.emit(func(m *machine) wait {
		raise(pos, value.Throw(v(m)))
		return goOn
	})
}
