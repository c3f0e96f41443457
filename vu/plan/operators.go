package plan

// The operators of the language.
const (
	OpAdd         Op = "add"
	OpSub         Op = "sub"
	OpMul         Op = "mul"
	OpDiv         Op = "div"
	OpMod         Op = "mod"
	OpPow         Op = "pow"
	OpNeg         Op = "neg"
	OpNumber      Op = "number"
	OpBitAnd      Op = "bit-and"
	OpBitOr       Op = "bit-or"
	OpBitXor      Op = "bit-xor"
	OpBitNot      Op = "bit-not"
	OpShiftLeft   Op = "shift-left"
	OpShiftRight  Op = "shift-right"
	OpShiftRightU Op = "shift-right-unsigned"
	OpSame        Op = "same"
	OpNotSame     Op = "not-same"
	OpEqual       Op = "equal"
	OpNotEqual    Op = "not-equal"
	OpLess        Op = "less"
	OpLessEq      Op = "less-or-equal"
	OpGreater     Op = "greater"
	OpGreaterEq   Op = "greater-or-equal"
	OpNot         Op = "not"
	OpAnd         Op = "and"
	OpOr          Op = "or"
	OpCoalesce    Op = "coalesce"
	OpCond        Op = "cond"
	OpTypeOf      Op = "typeof"
)

var operatorOps = []OpInfo{
	{OpAdd, 2, 2, Any, false, "a + b"},
	{OpSub, 2, 2, Number, false, "a - b"},
	{OpMul, 2, 2, Number, false, "a * b"},
	{OpDiv, 2, 2, Number, false, "a / b"},
	{OpMod, 2, 2, Number, false, "a % b"},
	{OpPow, 2, 2, Number, false, "a ** b"},
	{OpNeg, 1, 1, Number, false, "-a"},
	{OpNumber, 1, 1, Number, false, "+a"},
	{OpBitAnd, 2, 2, Number, false, "a & b"},
	{OpBitOr, 2, 2, Number, false, "a | b"},
	{OpBitXor, 2, 2, Number, false, "a ^ b"},
	{OpBitNot, 1, 1, Number, false, "~a"},
	{OpShiftLeft, 2, 2, Number, false, "a << b"},
	{OpShiftRight, 2, 2, Number, false, "a >> b"},
	{OpShiftRightU, 2, 2, Number, false, "a >>> b"},
	{OpSame, 2, 2, Bool, false, "a === b"},
	{OpNotSame, 2, 2, Bool, false, "a !== b"},
	{OpEqual, 2, 2, Bool, false, "a == b"},
	{OpNotEqual, 2, 2, Bool, false, "a != b"},
	{OpLess, 2, 2, Bool, false, "a < b"},
	{OpLessEq, 2, 2, Bool, false, "a <= b"},
	{OpGreater, 2, 2, Bool, false, "a > b"},
	{OpGreaterEq, 2, 2, Bool, false, "a >= b"},
	{OpNot, 1, 1, Bool, false, "!a"},
	{OpAnd, 2, 2, Any, false, "a && b"},
	{OpOr, 2, 2, Any, false, "a || b"},
	{OpCoalesce, 2, 2, Any, false, "a ?? b"},
	{OpCond, 3, 3, Any, false, "a ? b : c"},
	{OpTypeOf, 1, 1, String, false, "typeof a"},
}
