// Hot path: an iteration allocates nothing of its own.

package native

import (
	"context"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/client"
	"github.com/jsload/jsload/vu/outcome"
	"github.com/jsload/jsload/vu/plan"
	"github.com/jsload/jsload/vu/record"
	"github.com/jsload/jsload/vu/value"
)

// wait is why a machine stopped.
type wait uint8

const (
	// goOn is what operations return that need no wait.
	goOn wait = iota
	// waitRequest: req is to be made and its answer put into response.
	waitRequest
	// waitSleep: pause is to pass.
	waitSleep
	// waitTurn: others may have a turn; the machine goes on at once.
	waitTurn
	// ended: the iteration is over.
	ended
)

// machine is the state of a virtual user. It does no I/O: whoever drives it calls
// begin, then run until that says ended, doing between the calls what it waits for (and
// answered after a request), and finish. It belongs to one goroutine at a time.
type machine struct {
	factory *Factory
	id      vu.ID
	client  *client.Client
	record  *record.VU
	random  Random
	// endIteration is what the driver does with the client at the end of an iteration.
	endIteration func()

	ctx      context.Context // of the activation
	scenario *vu.Scenario
	env      map[string]value.Value // of the scenario

	// The place of the iteration.
	program   *program
	pc        int
	slots     []value.Value
	responses []*response // by slot; nil where none was made yet
	groups    []record.GroupScope
	holds     bool // what the last predicate said
	thrown    *exception
	uncaught  *exception
	cut       bool     // the activation ended
	turns     int      // of loops since the last wait
	at        plan.Pos // of the last wait

	// What is waited for.
	req      client.Request
	call     outcome.Call
	throws   bool // the script wants failures as exceptions
	response *response
	pause    time.Duration

	module    []value.Value            // survives iterations
	held      map[*program][]*response // responses that sites use again
	iteration uint64
	start     int64
	sent, got int64 // bytes recorded so far
	text      []byte
	stack     []value.Value // arguments of calls under way
}

// activate binds the machine to a scenario.
func (m *machine) activate(ctx context.Context, s *vu.Scenario) error {
	p, err := m.factory.program(s)
	if err != nil {
		return err
	}
	m.ctx, m.scenario, m.env = ctx, s, nil
	for name, text := range s.Env {
		if m.env == nil {
			m.env = make(map[string]value.Value, len(s.Env))
		}
		m.env[name] = value.Str(value.Clean(text))
	}
	m.record.SetScenario(m.factory.cfg.Recorder.Scenario(s.Name, s.Tags))
	m.enter(p)
	return nil
}

// enter makes room for the slots of a function.
func (m *machine) enter(p *program) {
	if m.program == p {
		return
	}
	m.program = p
	m.slots = make([]value.Value, p.slots)
	m.responses = make([]*response, p.slots)
	if m.held == nil {
		m.held = map[*program][]*response{}
	}
	if m.held[p] == nil {
		m.held[p] = make([]*response, p.sites)
	}
}

// begin starts an iteration.
func (m *machine) begin(it vu.Iteration) {
	m.pc, m.thrown, m.uncaught, m.cut, m.turns = 0, nil, nil, false, 0
	clear(m.slots)
	clear(m.responses)
	m.groups = m.groups[:0]
	m.start = m.factory.cfg.Epoch.Now()
	late := int64(-1)
	if it.Open {
		late = max(0, m.start-it.Planned)
	}
	m.record.StartIteration(int64(m.iteration), late)
}

// run goes on until the next wait.
func (m *machine) run() wait {
	for {
		if w, over := m.steps(); over {
			return w
		}
	}
}

// steps does operations until one waits, or throws: then over is false, and the
// machine stands where the exception is handled.
func (m *machine) steps() (w wait, over bool) {
	defer func() {
		if p := recover(); p != nil {
			ex, ok := p.(*exception)
			if !ok {
				panic(p)
			}
			m.handle(ex)
		}
	}()
	for {
		op := m.program.ops[m.pc]
		m.pc++
		if w := op(m); w != goOn {
			return w, true
		}
	}
}

// handle goes to the innermost handler around the operation that threw.
func (m *machine) handle(ex *exception) {
	at := m.pc - 1
	m.stack = m.stack[:0]
	for _, r := range m.program.regions {
		if r.start <= at && at < r.end {
			m.thrown, m.pc = ex, r.handler
			return
		}
	}
	m.uncaught, m.pc = ex, len(m.program.ops)-1
}

// answered records what came of a request. The driver calls it when the request is
// over, also if the activation has ended meanwhile.
func (m *machine) answered() {
	outcome.Record(m.record, m.factory.cfg.Log, &m.req, &m.response.Response, &m.call, m.factory.cfg.Limited)
}

// interrupt ends the iteration: the activation has ended. Groups are left, as a script
// leaves them.
func (m *machine) interrupt() {
	m.cut = true
	for len(m.groups) > 0 {
		m.leaveGroup()
	}
	m.pc = len(m.program.ops) - 1
}

// finish records the iteration and says how it ended, in the words of
// vu.Unit.Iterate.
func (m *machine) finish() error {
	end := m.factory.cfg.Epoch.Now()
	m.iteration++
	err := m.judge()
	m.endIteration()
	d := m.client.Dialer()
	sent, got := d.Sent(), d.Received()
	m.record.Data(sent-m.sent, got-m.got)
	m.sent, m.got = sent, got
	if err == nil {
		m.record.EndIteration(m.start, end)
	}
	return err
}

func (m *machine) judge() error {
	switch {
	case m.cut:
		m.factory.cfg.Journal.Interrupted(m.ctx, m.id, m.scenario, m.where())
		return vu.ErrInterrupted
	case m.ctx.Err() != nil:
		return vu.ErrInterrupted
	case m.uncaught != nil:
		m.factory.cfg.Journal.Threw(m.uncaught.text(m.factory.cfg.Plan), m.scenario)
	}
	return nil
}

// where is the place of the last wait.
func (m *machine) where() string {
	for p := m.at; p > 0; {
		place := m.factory.cfg.Plan.Places[p-1]
		if place.File != "" {
			return place.String()
		}
		p = place.Caller
	}
	return ""
}
