package bundle

// maxNesting is how deep source may nest. esbuild and goja descend into source
// by recursion and die with the whole process when the stack ends; people and
// bundlers stay below a few hundred.
const maxNesting = 5000

// maxOperators is how many operators may follow each other in one expression. A
// sum nests to the left: it takes less of the stack than brackets do, but the
// compiler descends into it, and folds constants in quadratic time.
const maxOperators = 10_000

// TooDeep tells whether source that is compiled at run time would exhaust the
// stack of the parser or compiler.
func TooDeep(src string) bool { return tooDeep([]byte(src), maxNesting) >= 0 }

// tooDeep gives the position at which source nests deeper than limit, or -1.
// What counts is everything a parser descends for: brackets, and within a
// bracket the operators that bind to the right (!!!x, a=>b=>c, a?b:c?d:e, else
// if) since the last end of a statement or list element.
func tooDeep(src []byte, limit int) int {
	if len(src) <= limit {
		return -1 // each level takes a byte
	}
	l := newLexer(src)
	n := nesting{limit: limit}
	for t := l.next(); t.kind != tokEOF; t = l.next() {
		if n.step(l, t) {
			return t.start
		}
	}
	return -1
}

// nesting measures depth token by token.
type nesting struct {
	limit int
	// depth counts brackets and chains that are open; chain is the part of it
	// that belongs to the innermost bracket, outer the chains around it.
	depth, chain int
	outer        []int
	// operators follow each other in the innermost bracket, outerOperators in
	// those around it.
	operators      int
	outerOperators []int
	// ended is true after ; or }: unless an else follows, the chain ends.
	ended bool
	// operand is true after a token that ends an operand.
	operand bool
}

// step takes one token and tells whether the limit is passed.
func (n *nesting) step(l *lexer, t token) bool {
	if n.endsBefore(l, t) {
		n.unchain()
	}
	n.ended = false
	switch len(l.open) - len(n.outer) {
	case 1:
		n.outer = append(n.outer, n.chain)
		n.outerOperators = append(n.outerOperators, n.operators)
		n.chain, n.operators = 0, 0
		n.depth++
		n.operand = false
	case -1:
		n.unchain()
		n.chain = n.outer[len(n.outer)-1]
		n.outer = n.outer[:len(n.outer)-1]
		n.operators = n.outerOperators[len(n.outer)] + 1
		n.outerOperators = n.outerOperators[:len(n.outer)]
		n.depth--
		n.ended = l.is(t, "}")
		n.operand = true
	default:
		n.link(l, t)
		n.operand = t.kind != tokPunct
	}
	return n.depth > n.limit || n.operators > maxOperators
}

// endsBefore tells whether a statement has ended before a token, by ; or } or
// by a line break between two operands.
func (n *nesting) endsBefore(l *lexer, t token) bool {
	if l.is(t, "else") || t.kind == tokPunct {
		return false
	}
	return n.ended || t.newline && n.operand
}

// link counts a token that is no bracket.
func (n *nesting) link(l *lexer, t token) {
	switch t.kind {
	case tokName:
		switch string(l.text(t)) {
		case "typeof", "void", "delete", "await", "yield", "new", "else", "if", "for", "while", "do", "with":
			n.push()
		}
	case tokPunct:
		n.operators++
		switch string(l.text(t)) {
		case ";":
			n.ended = true
			n.operators = 0
		case ",":
			n.unchain()
		case "+", "-", "++", "--":
			if !n.operand { // otherwise a sum, which nests to the left
				n.push()
			}
		case "=>", "**", "?", ":", "=", "!", "~", "<":
			n.push()
		}
	}
}

func (n *nesting) push() {
	n.chain++
	n.depth++
}

func (n *nesting) unchain() {
	n.depth -= n.chain
	n.chain, n.operators = 0, 0
}
