package native

import (
	"github.com/jsload/jsload/vu/plan"
)

// op is one operation. It finds the machine's pc behind itself, and may change it.
type op func(m *machine) wait

// program is a function, compiled. It is shared and never changed. Its last operation
// ends the iteration.
type program struct {
	ops     []op
	regions []region
	slots   int
	sites   int
}

// region is where a handler catches: operations from start to before end. Inner
// regions come before those around them.
type region struct{ start, end, handler int }

// settings are what options say about all requests.
type settings struct{ discard, throw bool }

// compile compiles a function of a valid plan.
func compile(p *plan.Plan, f *plan.Function, s settings) *program {
	c := &compiler{plan: p, f: f, settings: s, out: &program{slots: len(f.Slots)}, leave: map[int]*target{}, next: map[int]*target{}}
	c.steps(f.Body)
	c.emit(func(*machine) wait { return ended })
	return c.out
}

// compiler compiles one function.
type compiler struct {
	plan     *plan.Plan
	f        *plan.Function
	settings settings
	out      *program
	// leave and next are where the labels of the blocks around lead.
	leave, next map[int]*target
	builders    map[plan.Op]exprBuilder
	functions   map[callKey]function
}

// target is a place to jump to, known when it is bound. Jumps read it when they run.
type target struct{ pc int }

func (c *compiler) bind(t *target) { t.pc = len(c.out.ops) }

func (c *compiler) emit(o op) { c.out.ops = append(c.out.ops, o) }

// jump emits a jump.
func (c *compiler) jump(t *target) {
	c.emit(func(m *machine) wait {
		m.pc = t.pc
		return goOn
	})
}

// guarded emits what body emits, and a handler that comes into play when any of it
// throws. Behind both it goes on after what body emits.
func (c *compiler) guarded(body, handler func()) {
	start := len(c.out.ops)
	body()
	end := len(c.out.ops)
	behind := &target{}
	c.jump(behind)
	c.out.regions = append(c.out.regions, region{start, end, len(c.out.ops)})
	handler()
	c.bind(behind)
}

// rethrow emits the raising of the exception that a handler was given.
func (c *compiler) rethrow() {
	c.emit(func(m *machine) wait { panic(m.thrown) })
}

// stepBuilder emits the operations of a step.
type stepBuilder func(c *compiler, s *plan.Step)

// stepBuilders is the list of steps, each with its builder.
func stepBuilders() map[plan.StepOp]stepBuilder {
	return map[plan.StepOp]stepBuilder{
		plan.StepLet:     (*compiler).let,
		plan.StepSet:     (*compiler).set,
		plan.StepEval:    (*compiler).eval,
		plan.StepIf:      (*compiler).branch,
		plan.StepBlock:   (*compiler).block,
		plan.StepLoop:    (*compiler).loop,
		plan.StepLeave:   (*compiler).leaveBlock,
		plan.StepNext:    (*compiler).nextTurn,
		plan.StepThrow:   (*compiler).throw,
		plan.StepRequest: (*compiler).request,
		plan.StepCheck:   (*compiler).check,
		plan.StepGroup:   (*compiler).group,
		plan.StepSleep:   (*compiler).sleep,
		plan.StepConsole: (*compiler).console,
	}
}

func (c *compiler) steps(list []*plan.Step) {
	builders := stepBuilders()
	for _, s := range list {
		builders[s.Op](c, s)
	}
}
