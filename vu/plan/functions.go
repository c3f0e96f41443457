package plan

import (
	"slices"
	"sync"
)

// Callee is a pure function or method that plans may call.
type Callee struct {
	// Name is the function as scripts reach it, such as Math.floor, JSON.stringify or
	// k6/encoding.b64encode; of a method its name alone.
	Name string
	// On is the type of the values that have the method; Any for a function.
	On Type
	// Min and Max are how many arguments it may be called with, without the receiver; a
	// negative Max is no bound.
	Min, Max int
	// Result is the type of what it returns; Any if that depends.
	Result Type
}

// Callees lists all functions and methods, family by family. vu/native has an
// implementation of each.
func Callees() []Callee {
	return slices.Concat(globalCallees, stringCallees)
}

var globalCallees = []Callee{
	{"JSON.stringify", Any, 1, 1, Any},
	{"String", Any, 0, 1, String},
	{"Number", Any, 0, 1, Number},
	{"Boolean", Any, 0, 1, Bool},
	{"parseInt", Any, 1, 2, Number},
	{"parseFloat", Any, 1, 1, Number},
	{"isNaN", Any, 1, 1, Bool},
	{"Math.floor", Any, 1, 1, Number},
	{"Math.ceil", Any, 1, 1, Number},
	{"Math.trunc", Any, 1, 1, Number},
	{"Math.abs", Any, 1, 1, Number},
}

var stringCallees = []Callee{
	{"includes", String, 1, 2, Bool},
	{"startsWith", String, 1, 2, Bool},
	{"endsWith", String, 1, 2, Bool},
	{"indexOf", String, 1, 2, Number},
	{"trim", String, 0, 0, String},
	{"toLowerCase", String, 0, 0, String},
	{"toUpperCase", String, 0, 0, String},
}

// key finds a callee: functions and methods of one name are told apart.
type key struct {
	name string
	on   Type
}

var callees = sync.OnceValue(func() map[key]Callee {
	m := map[key]Callee{}
	for _, c := range Callees() {
		m[key{c.Name, c.On}] = c
	}
	return m
})

// Lookup finds a function, or, if on is not Any, a method of values of that type.
func Lookup(name string, on Type) (Callee, bool) {
	c, ok := callees()[key{name, on}]
	return c, ok
}

// Methods returns the methods of a name of all types that have one.
func Methods(name string) []Callee {
	var found []Callee
	for _, on := range []Type{String, Number, Array, Object} {
		if c, ok := Lookup(name, on); ok {
			found = append(found, c)
		}
	}
	return found
}

// Takes tells whether it may be called with n arguments.
func (c Callee) Takes(n int) bool { return within(n, c.Min, c.Max) }

func within(n, low, high int) bool { return n >= low && (high < 0 || n <= high) }
