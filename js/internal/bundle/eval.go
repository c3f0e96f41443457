package bundle

import (
	"bytes"
	"slices"
)

// guardEval puts a look at the source before each use of eval, since the
// interpreter's parser dies with the process on hostile nesting:
//
//	eval(x)            ->  eval(__jsload.source(x))
//	globalThis.eval, and eval as a value  ->  __jsload.eval
//
// The first form stays a direct eval, which sees the local names around it. What
// reaches eval by a computed name is not seen.
func (c *code) guardEval() {
	if !bytes.Contains(c.bytes, []byte("eval")) {
		return
	}
	g := evalGuard{code: c, lexer: newLexer(c.bytes)}
	for t := g.lexer.next(); t.kind != tokEOF; t = g.lexer.next() {
		g.step(t)
	}
}

// evalGuard walks over the tokens. last are the two tokens before, pending the
// guarded calls that are open, by their depth of brackets.
type evalGuard struct {
	*code
	lexer   *lexer
	last    [2]token
	name    *token // an eval that the next token decides about
	owner   *token // globalThis, before .eval
	pending []evalCall
}

type evalCall struct {
	depth int
	edits [2]edit
}

func (g *evalGuard) step(t token) {
	if g.name != nil {
		g.decide(t)
	}
	g.settle(t)
	if t.kind == tokName && g.lexer.is(t, "eval") {
		g.found(t)
	}
	g.last = [2]token{g.last[1], t}
}

// found takes the name unless it is a member of something else than the global object.
func (g *evalGuard) found(t token) {
	if !g.lexer.is(g.last[1], ".") {
		g.name = &t
		return
	}
	switch string(g.lexer.text(g.last[0])) {
	case "globalThis", "global":
		owner := g.last[0]
		g.name, g.owner = &t, &owner
	}
}

// decide looks at what follows the name: a call is guarded, a value replaced, a
// key or shorthand left.
func (g *evalGuard) decide(next token) {
	name, owner := *g.name, g.owner
	g.name, g.owner = nil, nil
	switch {
	case owner != nil:
		g.edits = append(g.edits, edit{start: owner.start, end: name.end, text: "__jsload.eval"})
	case g.lexer.is(next, "("):
		at := edit{start: next.end, end: next.end, text: "__jsload.source("}
		g.pending = append(g.pending, evalCall{depth: len(g.lexer.open), edits: [2]edit{at}})
	case g.lexer.is(next, ")"):
		g.edits = append(g.edits, edit{start: name.start, end: name.end, text: "__jsload.eval"})
	}
}

// settle closes the guarded calls that end at a token. A call of a method that
// is named so is none: a body follows.
func (g *evalGuard) settle(t token) {
	n := len(g.pending)
	if n == 0 {
		return
	}
	call := &g.pending[n-1]
	switch {
	case call.edits[1].text == "" && len(g.lexer.open) < call.depth:
		call.edits[1] = edit{start: t.start, end: t.start, text: ")"}
	case call.edits[1].text != "":
		if !g.lexer.is(t, "{") || t.newline {
			g.edits = append(g.edits, call.edits[:]...)
		}
		g.pending = slices.Delete(g.pending, n-1, n)
		g.settle(t)
	}
}
