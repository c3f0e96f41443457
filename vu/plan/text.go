package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/jsload/jsload/vu/value"
)

// Text is the plan of a function for people to read. It must be valid.
func (p *Plan) Text(f *Function) string {
	w := writer{plan: p, f: f}
	w.steps(f.Body, 0)
	return w.b.String()
}

type writer struct {
	plan *Plan
	f    *Function
	b    strings.Builder
}

func (w *writer) line(depth int, text string) {
	w.b.WriteString(strings.Repeat("  ", depth) + text + "\n")
}

func (w *writer) steps(list []*Step, depth int) {
	for _, s := range list {
		w.step(s, depth)
	}
}

func (w *writer) step(s *Step, depth int) {
	into := ""
	if info, _ := s.Op.Info(); info.Slot && s.Slot != NoSlot && s.Op != StepSet {
		into = w.slot(s.Slot) + " = "
	}
	switch s.Op {
	case StepLet:
		w.line(depth, into+w.expr(s.Args[0]))
	case StepSet:
		w.line(depth, w.module(s.Slot)+" = "+w.expr(s.Args[0]))
	case StepBlock, StepLoop:
		w.line(depth, fmt.Sprintf("%s %d", s.Op, s.Label))
	case StepLeave, StepNext:
		w.line(depth, fmt.Sprintf("%s %d", s.Op, s.Label))
	case StepRequest:
		w.line(depth, into+w.request(s))
	default:
		w.line(depth, strings.TrimRight(into+strings.TrimSpace(string(s.Op)+" "+s.Name)+" "+w.list(s.Args), " "))
	}
	w.steps(s.Body, depth+1)
	if len(s.Else) > 0 {
		w.line(depth, "else")
		w.steps(s.Else, depth+1)
	}
	for i := range s.Checks {
		w.check(&s.Checks[i], depth+1)
	}
}

func (w *writer) check(k *Check, depth int) {
	if len(k.Body) > 0 {
		w.line(depth, strconv.Quote(k.Name)+" after")
		w.steps(k.Body, depth+1)
	}
	w.line(depth, strconv.Quote(k.Name)+": "+w.expr(k.Holds))
}

// request leaves out arguments that are not there.
func (w *writer) request(s *Step) string {
	method := s.Name
	if method == "" {
		method = "request " + w.expr(s.Args[3])
	}
	text := method + " " + w.expr(s.Args[0])
	for i, title := range []string{" body ", " params "} {
		if v, ok := s.Args[i+1].IsConst(); !ok || !v.IsNullish() {
			text += title + w.expr(s.Args[i+1])
		}
	}
	return text
}

func (w *writer) slot(i int) string {
	name := w.f.Slots[i].Name
	for j, s := range w.f.Slots {
		if j != i && s.Name == name {
			return fmt.Sprintf("%s#%d", name, i)
		}
	}
	return name
}

func (w *writer) module(i int) string { return "vu." + w.plan.Module[i].Name }

func (w *writer) list(args []*Expr) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = w.expr(a)
	}
	return strings.Join(texts, ", ")
}

var infix = map[Op]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMod: "%", OpPow: "**", OpBitAnd: "&", OpBitOr: "|", OpBitXor: "^",
	OpShiftLeft: "<<", OpShiftRight: ">>", OpShiftRightU: ">>>", OpSame: "===", OpNotSame: "!==", OpEqual: "==",
	OpNotEqual: "!=", OpLess: "<", OpLessEq: "<=", OpGreater: ">", OpGreaterEq: ">=", OpAnd: "&&", OpOr: "||", OpCoalesce: "??",
}

func (w *writer) expr(e *Expr) string {
	if sign, ok := infix[e.Op]; ok {
		return "(" + w.expr(e.Args[0]) + " " + sign + " " + w.expr(e.Args[1]) + ")"
	}
	switch e.Op {
	case OpConst:
		return w.constant(e)
	case OpSlot:
		return w.slot(e.Slot)
	case OpModule:
		return w.module(e.Slot)
	case OpVU:
		return "__VU"
	case OpIter:
		return "__ITER"
	case OpEnv:
		return "__ENV." + e.Name
	case OpText:
		return w.template(e)
	case OpArray:
		return "[" + w.list(e.Args) + "]"
	case OpObject:
		return w.object(e)
	case OpCond:
		return "(" + w.expr(e.Args[0]) + " ? " + w.expr(e.Args[1]) + " : " + w.expr(e.Args[2]) + ")"
	case OpNot, OpNeg, OpBitNot, OpNumber, OpTypeOf:
		return map[Op]string{OpNot: "!", OpNeg: "-", OpBitNot: "~", OpNumber: "+", OpTypeOf: "typeof "}[e.Op] + w.expr(e.Args[0])
	case OpCall:
		return e.Name + "(" + w.list(e.Args) + ")"
	case OpMethod:
		return w.expr(e.Args[0]) + "." + e.Name + "(" + w.list(e.Args[1:]) + ")"
	}
	return w.member(e)
}

// member writes the reading of properties.
func (w *writer) member(e *Expr) string {
	switch e.Op {
	case OpGet:
		return w.expr(e.Args[0]) + "." + e.Name
	case OpChain:
		return w.expr(e.Args[0]) + "?." + e.Name
	case OpIndex:
		return w.expr(e.Args[0]) + "[" + w.expr(e.Args[1]) + "]"
	case OpTiming:
		return w.expr(e.Args[0]) + ".timings." + e.Name
	case OpHeader:
		return w.expr(e.Args[0]) + ".headers[" + strconv.Quote(e.Name) + "]"
	case OpJSON:
		return w.expr(e.Args[0]) + ".json(" + w.list(e.Args[1:]) + ")"
	}
	if name, ok := strings.CutPrefix(string(e.Op), "response."); ok {
		return w.expr(e.Args[0]) + "." + name
	}
	return string(e.Op) + "(" + w.list(e.Args) + ")"
}

// maxShown is how much of a constant is shown.
const maxShown = 120

func (w *writer) constant(e *Expr) string {
	text := constantText(e.Const.Value, 0)
	if len(text) > maxShown {
		cut := maxShown
		for cut > 0 && text[cut]&0xC0 == 0x80 {
			cut--
		}
		text = text[:cut] + "..."
	}
	return text
}

func constantText(v value.Value, depth int) string {
	if depth > 8 {
		return "..."
	}
	switch v.Kind() {
	case value.KindString:
		return strconv.Quote(value.WellFormed(v.Text()))
	case value.KindArray:
		var items []string
		for _, item := range v.Items() {
			items = append(items, constantText(item, depth+1))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case value.KindObject:
		var members []string
		for _, k := range v.Object().Keys() {
			item, _ := v.Object().Own(k)
			members = append(members, strconv.Quote(value.WellFormed(k))+": "+constantText(item, depth+1))
		}
		return "{" + strings.Join(members, ", ") + "}"
	}
	return value.ToString(v)
}

func (w *writer) template(e *Expr) string {
	var b strings.Builder
	b.WriteByte('`')
	for _, a := range e.Args {
		if v, ok := a.IsConst(); ok && v.IsString() {
			b.WriteString(value.WellFormed(v.Text()))
			continue
		}
		b.WriteString("${" + w.expr(a) + "}")
	}
	b.WriteByte('`')
	return b.String()
}

func (w *writer) object(e *Expr) string {
	var members []string
	for i := 0; i+1 < len(e.Args); i += 2 {
		members = append(members, w.expr(e.Args[i])+": "+w.expr(e.Args[i+1]))
	}
	return "{" + strings.Join(members, ", ") + "}"
}
