package plan

import "slices"

// Op is what an expression does.
type Op string

// OpInfo describes an operation.
type OpInfo struct {
	Op Op
	// Min and Max are how many arguments there may be; a negative Max is no bound.
	Min, Max int
	// Result is the type of the value; Any where it depends.
	Result Type
	// Name tells that Expr.Name must be there.
	Name bool
	// Doc says what the value is.
	Doc string
}

// Ops lists all operations of expressions, family by family.
func Ops() []OpInfo {
	return slices.Concat(coreOps, operatorOps, memberOps, responseOps)
}

// The operations that are no operators.
const (
	OpConst  Op = "const"
	OpSlot   Op = "slot"
	OpModule Op = "module"
	OpData   Op = "data"
	OpVU     Op = "vu"
	OpIter   Op = "iter"
	OpEnv    Op = "env"
	OpText   Op = "text"
	OpArray  Op = "array"
	OpObject Op = "object"
	OpCall   Op = "call"
	OpMethod Op = "method"
	OpRandom Op = "random"
)

var coreOps = []OpInfo{
	{OpConst, 0, 0, Any, false, "a constant"},
	{OpSlot, 0, 0, Any, false, "a variable of the iteration"},
	{OpModule, 0, 0, Any, false, "a variable of the virtual user"},
	{OpData, 0, 0, Any, false, "what setup returned"},
	{OpVU, 0, 0, Number, false, "__VU"},
	{OpIter, 0, 0, Number, false, "__ITER"},
	{OpEnv, 0, 0, Any, true, "the variable of __ENV with that name, or undefined"},
	{OpText, 1, -1, String, false, "the texts of the arguments in one, as a template makes it"},
	{OpArray, 0, -1, Array, false, "a new array of the arguments"},
	{OpObject, 0, -1, Object, false, "a new object of the arguments: name, value, name, value"},
	{OpCall, 0, -1, Any, true, "what a function of the list of functions returns"},
	{OpMethod, 1, -1, Any, true, "what a method of the first argument returns for the others"},
	{OpRandom, 0, 0, Number, false, "Math.random()"},
}
