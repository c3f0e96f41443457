// Package plan is what the native tier runs: what one iteration of each exported
// function does, as data that can be printed, compared, stored and sent.
//
// js/internal/analyse makes plans out of scripts and vu/native runs them. The package
// knows nothing of JavaScript syntax, HTTP or metrics, and runs nothing.
//
// A plan is a structured tree. Statements and everything with an effect are Steps;
// Exprs are pure, so that a step may evaluate its expressions in any way that gives
// the values in the order written. Calls of functions of the script have been put in
// place of the calls.
package plan

import (
	"fmt"

	"github.com/jsload/jsload/vu/value"
)

// Version is that of the form of plans. A plan of another version is refused.
const Version = 1

// Plan is the native part of a test.
type Plan struct {
	Version int `json:"version"`
	// Functions are the exported functions, by name.
	Functions []*Function `json:"functions"`
	// Places are the positions that steps and expressions refer to, each with the
	// place that it was called from.
	Places []Place `json:"places,omitempty"`
	// Module are the slots that keep their values from iteration to iteration of a
	// virtual user, with what the init code gave them.
	Module []ModuleSlot `json:"module,omitempty"`
}

// Function is what one iteration of an exported function does.
type Function struct {
	Name string `json:"name"`
	// Slots are the variables of an iteration. All are undefined when it begins.
	Slots []Slot  `json:"slots,omitempty"`
	Body  []*Step `json:"body"`
}

// Slot is a variable.
type Slot struct {
	// Name is the script's, for people; made-up slots have names of their own.
	Name string `json:"name"`
	// Type is what the slot holds whenever it is read.
	Type Type `json:"type,omitempty"`
}

// ModuleSlot is a variable of a module.
type ModuleSlot struct {
	Slot
	Init Const `json:"init"`
}

// Place is a position in a file of the user.
type Place struct {
	// File is empty for a function of the host, which Func names.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
	// Func is the function that the position is in, as stacks name it.
	Func string `json:"func,omitempty"`
	// Caller is where Func was called, as an index of Places plus 1; zero if the
	// iteration began with it.
	Caller Pos `json:"caller,omitempty"`
}

// Pos is an index of Plan.Places plus 1. Zero is no position.
type Pos int

// NoSlot is the Slot of a step that keeps no result.
const NoSlot = -1

// Step is a statement. Which members count depends on Op; see the list of StepOps.
type Step struct {
	Op  StepOp `json:"op"`
	Pos Pos    `json:"pos,omitempty"`
	// Name is a detail of the operation.
	Name string `json:"name,omitempty"`
	// Slot receives the result; NoSlot for none.
	Slot int `json:"slot"`
	// Label names a block, and the block that a leave or next refers to.
	Label int     `json:"label,omitempty"`
	Args  []*Expr `json:"args,omitempty"`
	// Body and Else are what is done under the step.
	Body []*Step `json:"body,omitempty"`
	Else []*Step `json:"else,omitempty"`
	// Fresh tells that the response of a request may still be in use when the step runs
	// again, so that it needs a new one each time.
	Fresh bool `json:"fresh,omitempty"`
	// Checks are the entries of a check.
	Checks []Check `json:"checks,omitempty"`
}

// Check is one entry of a check's table.
type Check struct {
	Name string `json:"name"`
	Pos  Pos    `json:"pos,omitempty"`
	// Body runs first; Holds then tells whether the check passes.
	Body  []*Step `json:"body,omitempty"`
	Holds *Expr   `json:"holds"`
}

// Expr is a value that is computed without effects; it may throw.
type Expr struct {
	Op  Op  `json:"op"`
	Pos Pos `json:"pos,omitempty"`
	// Name is a property, a function, a header: a detail of the operation.
	Name string  `json:"name,omitempty"`
	Slot int     `json:"slot,omitempty"`
	Args []*Expr `json:"args,omitempty"`
	// Const is the value of a const.
	Const *Const `json:"const,omitempty"`
}

// ConstOf is the expression of a value.
func ConstOf(v value.Value) *Expr { return &Expr{Op: OpConst, Const: &Const{v}} }

// Undefined is the expression of undefined.
func Undefined() *Expr { return ConstOf(value.Undefined) }

// IsConst tells whether the expression is a constant, and its value.
func (e *Expr) IsConst() (value.Value, bool) {
	if e.Op != OpConst || e.Const == nil {
		return value.Undefined, false
	}
	return e.Const.Value, true
}

// Function returns the function of a name, nil if there is none.
func (p *Plan) Function(name string) *Function {
	for _, f := range p.Functions {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// String is the position as file:line:column; empty for a function of the host.
func (p Place) String() string {
	if p.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Frame is the place as a line of a stack shows it.
func (p Place) Frame() string {
	switch {
	case p.File == "" && p.Func == "":
		return "native"
	case p.File == "":
		return p.Func + " (native)"
	case p.Func == "":
		return p.String()
	}
	return p.Func + " (" + p.String() + ")"
}
