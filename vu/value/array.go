package value

// Join is array.join(separator). An array inside of itself is empty text.
func Join(o *Object, separator string) string {
	j := joiner{separator: separator}
	j.array(o)
	return string(j.b)
}

// joiner writes an array; those it is inside of are open.
type joiner struct {
	b         []byte
	separator string
	open      []*Object
}

func (j *joiner) array(o *Object) {
	for _, p := range j.open {
		if p == o {
			return
		}
	}
	separator := j.separator
	j.open = append(j.open, o)
	for i, v := range o.items {
		if i > 0 {
			j.b = appendJoined(j.b, separator)
		}
		switch v.kind {
		case KindUndefined, KindNull, kindHole:
		case KindArray:
			j.separator = ","
			j.array(v.obj)
			j.separator = separator
		default:
			j.b = AppendString(j.b, v)
		}
	}
	j.open = j.open[:len(j.open)-1]
}
