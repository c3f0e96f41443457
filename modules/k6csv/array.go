package k6csv

import (
	"slices"

	"github.com/dop251/goja"
)

// list makes an array of fields.
func list(rt *goja.Runtime, fields []string) *goja.Object {
	items := make([]any, len(fields))
	for k, f := range fields {
		items[k] = rt.ToValue(f)
	}
	return rt.NewArray(items...)
}

// object makes an object of fields by the names of their columns.
func object(rt *goja.Runtime, columns, fields []string) *goja.Object {
	o := rt.NewObject()
	for k, f := range fields {
		_ = o.DefineDataProperty(columns[k], rt.ToValue(f), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_TRUE)
	}
	return o
}

// array is the array that parse gives: the view of one runtime on a shared table.
type array struct {
	rt    *goja.Runtime
	table *table
}

// Len is the number of records.
func (a *array) Len() int { return len(a.table.starts) }

// Get makes the value of a record. It is read-only, since the next reader would
// not see a change, and cheaper than an array or object that is frozen.
func (a *array) Get(i int) goja.Value {
	if i < 0 || i >= len(a.table.starts) {
		return goja.Undefined()
	}
	fields := a.table.row(i)
	if a.table.columns != nil {
		return a.rt.NewDynamicObject(&named{a.rt, a.table.columns, fields})
	}
	return a.rt.NewDynamicArray(&row{a.rt, fields})
}

// Set always throws.
func (a *array) Set(int, goja.Value) bool {
	panic(a.rt.NewTypeError("SharedArray is immutable"))
}

// SetLen always throws.
func (a *array) SetLen(int) bool {
	panic(a.rt.NewTypeError("SharedArray is immutable"))
}

// row is a record as an array.
type row struct {
	rt     *goja.Runtime
	fields []string
}

// Len is the number of fields.
func (r *row) Len() int { return len(r.fields) }

// Get returns a field.
func (r *row) Get(i int) goja.Value {
	if i < 0 || i >= len(r.fields) {
		return goja.Undefined()
	}
	return r.rt.ToValue(r.fields[i])
}

// Set refuses, which strict code notices.
func (r *row) Set(int, goja.Value) bool { return false }

// SetLen refuses.
func (r *row) SetLen(int) bool { return false }

// named is a record as an object.
type named struct {
	rt      *goja.Runtime
	columns []string
	fields  []string
}

// Get returns the field of a column, of several columns of one name the last.
func (n *named) Get(name string) goja.Value {
	for k := len(n.columns) - 1; k >= 0; k-- {
		if n.columns[k] == name {
			return n.rt.ToValue(n.fields[k])
		}
	}
	return nil
}

// Has reports whether there is a column of that name.
func (n *named) Has(name string) bool { return slices.Contains(n.columns, name) }

// Set refuses, which strict code notices.
func (n *named) Set(string, goja.Value) bool { return false }

// Delete refuses.
func (n *named) Delete(string) bool { return false }

// Keys lists the columns.
func (n *named) Keys() []string { return n.columns }
