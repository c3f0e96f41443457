package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/jsload/jsload/vu/value"
)

// Validate tells whether a plan can be run: vu/native takes no other. It may be given
// anything that was read from a file, and never panics.
func (p *Plan) Validate() error {
	if p == nil {
		return errors.New("there is no plan")
	}
	if p.Version != Version {
		return fmt.Errorf("the plan has version %d, and this jsload runs version %d", p.Version, Version)
	}
	if err := p.validateTables(); err != nil {
		return err
	}
	for i, f := range p.Functions {
		if f == nil || slices.ContainsFunc(p.Functions[:i], func(g *Function) bool { return g.Name == f.Name }) {
			return fmt.Errorf("function %d of the plan is missing or has a name twice", i)
		}
		c := checker{plan: p, f: f, labels: map[int]StepOp{}, used: map[int]bool{}}
		if err := c.function(); err != nil {
			return fmt.Errorf("function %q of the plan: %w", f.Name, err)
		}
	}
	return nil
}

func (p *Plan) validateTables() error {
	for i, place := range p.Places {
		// A caller comes before what it calls, so there are no circles.
		if place.Caller < 0 || int(place.Caller) > i {
			return fmt.Errorf("place %d of the plan has a caller that does not come before it", i+1)
		}
	}
	for i, s := range p.Module {
		if !known(s.Type) || s.Type == Response || s.Type != Any && s.Type != typeOfConst(s.Init.Value) {
			return fmt.Errorf("module variable %d of the plan has the type %q and another value", i, s.Type)
		}
	}
	return nil
}

func known(t Type) bool {
	switch t {
	case Any, Undef, Null, Bool, Number, String, Array, Object, Response:
		return true
	}
	return false
}

// checker checks one function.
type checker struct {
	plan *Plan
	f    *Function
	// labels are those of the blocks around, used all.
	labels map[int]StepOp
	used   map[int]bool
}

func (c *checker) function() error {
	for i, s := range c.f.Slots {
		if !known(s.Type) {
			return fmt.Errorf("slot %d has the unknown type %q", i, s.Type)
		}
	}
	return c.steps(c.f.Body, 0)
}

func (c *checker) steps(list []*Step, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("steps are nested deeper than %d levels", maxDepth)
	}
	for _, s := range list {
		if s == nil {
			return errors.New("a step is missing")
		}
		if err := c.step(s, depth); err != nil {
			return fmt.Errorf("%s: %w", s.Op, err)
		}
	}
	return nil
}

func (c *checker) step(s *Step, depth int) error {
	info, ok := s.Op.Info()
	switch {
	case !ok:
		return errors.New("there is no such step")
	case !within(len(s.Args), info.Min, info.Max):
		return fmt.Errorf("it has %d arguments", len(s.Args))
	case !info.Body && len(s.Body) > 0 || !info.Else && len(s.Else) > 0 || !info.Checks && len(s.Checks) > 0:
		return errors.New("it has parts that such steps do not have")
	case !c.position(s.Pos):
		return errors.New("its place is none of the plan's")
	}
	for _, a := range s.Args {
		if err := c.plain(a, depth+1); err != nil {
			return err
		}
	}
	if err := c.detail(s); err != nil {
		return err
	}
	if err := c.target(s, info); err != nil {
		return err
	}
	return c.nested(s, depth+1)
}

// detail checks the name and the label of a step.
func (c *checker) detail(s *Step) error {
	switch s.Op {
	case StepConsole:
		if !slices.Contains(Levels(), s.Name) {
			return fmt.Errorf("the console has no level %q", s.Name)
		}
	case StepRequest:
		if (s.Name == "") != (len(s.Args) == 4) {
			return errors.New("it has both or neither of a method by name and by value")
		}
	case StepLeave:
		if _, ok := c.labels[s.Label]; !ok {
			return fmt.Errorf("it leaves block %d, which it is not in", s.Label)
		}
	case StepNext:
		if c.labels[s.Label] != StepLoop {
			return fmt.Errorf("it goes on with loop %d, which it is not in", s.Label)
		}
	}
	return nil
}

// target checks the slot of a step.
func (c *checker) target(s *Step, info StepInfo) error {
	if !info.Slot || s.Slot == NoSlot && s.Op != StepLet && s.Op != StepSet {
		return nil
	}
	result := info.Result
	if s.Op == StepLet || s.Op == StepSet {
		result = c.plan.TypeOf(c.f, s.Args[0])
	}
	var slot Type
	switch {
	case s.Op == StepSet && s.Slot >= 0 && s.Slot < len(c.plan.Module):
		slot = c.plan.Module[s.Slot].Type
	case s.Op != StepSet && s.Slot >= 0 && s.Slot < len(c.f.Slots):
		slot = c.f.Slots[s.Slot].Type
	default:
		return fmt.Errorf("it has the slot %d, which does not exist", s.Slot)
	}
	if slot != result && (slot != Any || result == Response) {
		return fmt.Errorf("it puts a value of type %q into a slot of type %q", result, slot)
	}
	return nil
}

func (c *checker) nested(s *Step, depth int) error {
	if s.Op == StepBlock || s.Op == StepLoop {
		if c.used[s.Label] {
			return fmt.Errorf("label %d stands twice", s.Label)
		}
		c.used[s.Label], c.labels[s.Label] = true, s.Op
		defer delete(c.labels, s.Label)
	}
	if s.Op == StepGroup || s.Op == StepCheck {
		// What is inside ends inside: nothing but an exception leaves it.
		outer := c.labels
		c.labels = map[int]StepOp{}
		defer func() { c.labels = outer }()
	}
	for i := range s.Checks {
		if err := c.check(&s.Checks[i], depth); err != nil {
			return fmt.Errorf("entry %q: %w", s.Checks[i].Name, err)
		}
	}
	if err := c.steps(s.Body, depth); err != nil {
		return err
	}
	return c.steps(s.Else, depth)
}

func (c *checker) check(k *Check, depth int) error {
	if !c.position(k.Pos) {
		return errors.New("its place is none of the plan's")
	}
	if err := c.steps(k.Body, depth); err != nil {
		return err
	}
	return c.plain(k.Holds, depth)
}

// plain checks an expression that is no response.
func (c *checker) plain(e *Expr, depth int) error {
	if err := c.expr(e, depth); err != nil {
		return err
	}
	if c.plan.TypeOf(c.f, e) == Response {
		return fmt.Errorf("%s: a response stands where a value must", e.Op)
	}
	return nil
}

func (c *checker) expr(e *Expr, depth int) error {
	if e == nil || depth > maxDepth {
		return fmt.Errorf("an expression is missing or nested deeper than %d levels", maxDepth)
	}
	info, ok := e.Op.Info()
	switch {
	case !ok:
		return fmt.Errorf("there is no operation %q", e.Op)
	case !within(len(e.Args), info.Min, info.Max):
		return fmt.Errorf("%s: it has %d arguments", e.Op, len(e.Args))
	case info.Name == (e.Name == "") && e.Op != OpGet && e.Op != OpChain && e.Op != OpHeader && e.Op != OpEnv:
		return fmt.Errorf("%s: it has no name, or one that means nothing", e.Op)
	case !c.position(e.Pos):
		return fmt.Errorf("%s: its place is none of the plan's", e.Op)
	}
	if err := c.args(e, depth+1); err != nil {
		return err
	}
	if err := c.leaf(e); err != nil {
		return fmt.Errorf("%s: %w", e.Op, err)
	}
	return nil
}

// args checks the arguments. Of a response operation the first is a response.
func (c *checker) args(e *Expr, depth int) error {
	reads := slices.ContainsFunc(responseOps, func(i OpInfo) bool { return i.Op == e.Op })
	for i, a := range e.Args {
		if reads && i == 0 {
			if err := c.expr(a, depth); err != nil {
				return err
			}
			if a.Op != OpSlot || c.plan.TypeOf(c.f, a) != Response {
				return fmt.Errorf("%s: it does not read a response", e.Op)
			}
			continue
		}
		if err := c.plain(a, depth); err != nil {
			return err
		}
	}
	return nil
}

// leaf checks what an expression refers to.
func (c *checker) leaf(e *Expr) error {
	switch e.Op {
	case OpConst:
		if e.Const == nil || e.Const.Kind() == value.KindRef {
			return errors.New("there is no such constant")
		}
	case OpSlot:
		if e.Slot < 0 || e.Slot >= len(c.f.Slots) {
			return fmt.Errorf("there is no slot %d", e.Slot)
		}
	case OpModule:
		if e.Slot < 0 || e.Slot >= len(c.plan.Module) {
			return fmt.Errorf("there is no module variable %d", e.Slot)
		}
	case OpObject:
		if len(e.Args)%2 != 0 {
			return errors.New("a name has no value")
		}
	case OpTiming:
		if !slices.Contains(Timings(), e.Name) {
			return fmt.Errorf("a response has no phase %q", e.Name)
		}
	case OpCall:
		if f, ok := Lookup(e.Name, Any); !ok || !f.Takes(len(e.Args)) {
			return fmt.Errorf("there is no function %q with %d arguments", e.Name, len(e.Args))
		}
	case OpMethod:
		return c.method(e)
	}
	return nil
}

// method checks a call of a method. If the type of the receiver is not known, some
// type must have it.
func (c *checker) method(e *Expr) error {
	on := c.plan.TypeOf(c.f, e.Args[0])
	if on == Any {
		for _, m := range Methods(e.Name) {
			if !m.Takes(len(e.Args) - 1) {
				return fmt.Errorf("method %q does not take %d arguments", e.Name, len(e.Args)-1)
			}
		}
		if len(Methods(e.Name)) == 0 {
			return fmt.Errorf("there is no method %q", e.Name)
		}
		return nil
	}
	if m, ok := Lookup(e.Name, on); !ok || on == Any || !m.Takes(len(e.Args)-1) {
		return fmt.Errorf("values of type %q have no method %q with %d arguments", on, e.Name, len(e.Args)-1)
	}
	return nil
}

func (c *checker) position(p Pos) bool { return p >= 0 && int(p) <= len(c.plan.Places) }

// Levels are the functions of the console.
func Levels() []string { return []string{"log", "debug", "info", "warn", "error"} }
