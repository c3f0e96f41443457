package plan

// StepOp is what a step does.
type StepOp string

// The steps.
const (
	StepLet     StepOp = "let"
	StepSet     StepOp = "set"
	StepEval    StepOp = "eval"
	StepIf      StepOp = "if"
	StepBlock   StepOp = "block"
	StepLoop    StepOp = "loop"
	StepLeave   StepOp = "leave"
	StepNext    StepOp = "next"
	StepThrow   StepOp = "throw"
	StepRequest StepOp = "request"
	StepCheck   StepOp = "check"
	StepGroup   StepOp = "group"
	StepSleep   StepOp = "sleep"
	StepConsole StepOp = "console"
)

// StepInfo describes a step.
type StepInfo struct {
	Op StepOp
	// Min and Max are how many arguments there may be; a negative Max is no bound.
	Min, Max int
	// Result is the type that Slot gets; Any if it depends.
	Result Type
	// Name, Slot, Body, Else and Checks tell which members are in use.
	Name, Slot, Body, Else, Checks bool
	// Doc says what is done.
	Doc string
}

// Steps lists all steps.
func Steps() []StepInfo { return stepOps }

var stepOps = []StepInfo{
	{Op: StepLet, Min: 1, Max: 1, Slot: true, Doc: "gives a variable of the iteration a value"},
	{Op: StepSet, Min: 1, Max: 1, Slot: true, Doc: "gives a variable of the virtual user a value"},
	{Op: StepEval, Min: 1, Max: 1, Doc: "computes a value for the exceptions it may throw"},
	{Op: StepIf, Min: 1, Max: 1, Body: true, Else: true, Doc: "does the body if the argument is true, otherwise the else"},
	{Op: StepBlock, Body: true, Doc: "does the body, which leave ends early by the block's label"},
	{Op: StepLoop, Body: true, Else: true, Doc: "does the body again and again until leave; next goes on with the else, which also follows the body"},
	{Op: StepLeave, Doc: "goes on behind the block or loop of that label"},
	{Op: StepNext, Doc: "begins the next turn of the loop of that label"},
	{Op: StepThrow, Min: 1, Max: 1, Doc: "throws the argument"},
	{Op: StepRequest, Min: 3, Max: 4, Result: Response, Name: true, Slot: true, Doc: "makes a request: address, body, params and, where it is not the name, method"},
	{Op: StepCheck, Max: 1, Result: Bool, Slot: true, Checks: true, Doc: "records checks with the tags of the argument; the result tells whether all hold"},
	{Op: StepGroup, Min: 1, Max: 1, Body: true, Doc: "does the body in the group of that name"},
	{Op: StepSleep, Min: 1, Max: 1, Doc: "waits for a number of seconds"},
	{Op: StepConsole, Max: -1, Name: true, Doc: "prints the arguments at a level of the console"},
}
