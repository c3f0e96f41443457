package globals

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// patch is an addition to the interpreter's own objects. wanted tells from the
// code of a script whether it may use it.
type patch struct {
	name   string
	wanted func(code string) bool
}

func mentions(words ...string) func(string) bool {
	return func(code string) bool {
		for _, w := range words {
			if strings.Contains(code, w) {
				return true
			}
		}
		return false
	}
}

// patches lists the additions. Each costs a virtual user a kilobyte or more,
// hence the conditions.
func patches() []patch {
	return []patch{
		{"withresolvers", mentions("withResolvers")},
		{"objectGroupBy", mentions("Object.groupBy", "Object?.groupBy")},
		{"mapGroupBy", mentions("Map.groupBy", "Map?.groupBy")},
		{"asyncIterator", mentions("asyncIterator", "fromAsync")},
		{"dispose", mentions("Symbol.dispose", "asyncDispose", "__using(")},
		{"fromasync", mentions("fromAsync")},
		{"iterator", wantsIteratorHelpers},
		{"wellformed", mentions("isWellFormed", "toWellFormed")},
		{"captureStackTrace", mentions("captureStackTrace")},
		{"escape", mentions("RegExp.escape", "RegExp?.escape")},
		{"regexp", mentions(`\p{`, `\P{`)},
		{"locale", mentions("toLocaleString", "toLocaleDateString", "toLocaleTimeString")},
	}
}

var (
	iteratorSource = regexp.MustCompile(`function\*|\*\s*(?:\w+|\[[^\]\n]*\])\s*\(|matchAll|\.iterator\b|(\w*)\??\.(?:values|keys|entries)\(`)
	iteratorHelper = regexp.MustCompile(`\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(`)
)

// wantsIteratorHelpers is true of code that may call a method of arrays on an
// iterator: it must make iterators and call such methods.
func wantsIteratorHelpers(code string) bool {
	if strings.Contains(code, "Iterator.") {
		return true
	}
	if !iteratorHelper.MatchString(code) {
		return false
	}
	for _, m := range iteratorSource.FindAllStringSubmatch(code, -1) {
		if m[1] != "Object" && m[1] != "Reflect" { // their keys, values and entries are arrays
			return true
		}
	}
	return false
}

// Patches names the additions that code may use.
func (m *Module) Patches(code string) []string {
	var names []string
	for _, p := range patches() {
		if p.wanted(code) {
			names = append(names, p.name)
		}
	}
	return names
}

// Patch makes an addition.
func (i *instance) Patch(name string) error {
	switch name {
	case "asyncIterator":
		return i.addSymbol("asyncIterator")
	case "dispose":
		if err := i.addSymbol("dispose"); err != nil {
			return err
		}
		return i.addSymbol("asyncDispose")
	case "iterator":
		return i.addIteratorHelpers()
	case "objectGroupBy":
		return i.add("Object", "groupBy", i.objectGroupBy)
	case "mapGroupBy":
		return i.add("Map", "groupBy", i.mapGroupBy)
	case "locale":
		return i.addLocale()
	case "wellformed":
		return i.addWellFormed()
	case "captureStackTrace":
		return i.add("Error", "captureStackTrace", i.captureStackTrace)
	case "escape":
		return i.add("RegExp", "escape", i.escapePattern)
	}
	_, err := i.load(name)
	return err
}

func (i *instance) global(name string) (*goja.Object, error) {
	o, ok := i.rt.GlobalObject().Get(name).(*goja.Object)
	if !ok {
		return nil, fmt.Errorf("there is no %s", name)
	}
	return o, nil
}

// add defines a function on a global object unless it is there.
func (i *instance) add(object, name string, f func(goja.FunctionCall) goja.Value) error {
	o, err := i.global(object)
	if err != nil || o.Get(name) != nil {
		return err
	}
	return i.define(o, name, f)
}

func (i *instance) define(o *goja.Object, name string, f func(goja.FunctionCall) goja.Value) error {
	v := i.rt.ToValue(f).(*goja.Object)
	if err := v.DefineDataProperty("name", i.rt.ToValue(name), goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE); err != nil {
		return err
	}
	return o.DefineDataProperty(name, v, goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE)
}

// addSymbol adds a well-known symbol. It is the one that code lowered by the
// bundler falls back to, so that both mean the same.
func (i *instance) addSymbol(name string) error {
	o, err := i.global("Symbol")
	if err != nil || o.Get(name) != nil {
		return err
	}
	registered, ok := goja.AssertFunction(o.Get("for"))
	if !ok {
		return fmt.Errorf("there is no Symbol.for")
	}
	v, err := registered(o, i.rt.ToValue("Symbol."+name))
	if err != nil {
		return err
	}
	return o.DefineDataProperty(name, v, goja.FLAG_FALSE, goja.FLAG_FALSE, goja.FLAG_FALSE)
}

func (i *instance) addWellFormed() error {
	o, err := i.global("String")
	if err != nil {
		return err
	}
	proto := o.Get("prototype").ToObject(i.rt)
	if err := i.define(proto, "isWellFormed", func(c goja.FunctionCall) goja.Value {
		_, ok := wellFormed(i.receiver(c, "isWellFormed"))
		return i.rt.ToValue(ok)
	}); err != nil {
		return err
	}
	return i.define(proto, "toWellFormed", func(c goja.FunctionCall) goja.Value {
		s := i.receiver(c, "toWellFormed")
		if fixed, ok := wellFormed(s); !ok {
			return goja.StringFromUTF16(fixed)
		}
		return s
	})
}

// receiver is the string that a method of strings is called on.
func (i *instance) receiver(c goja.FunctionCall, method string) goja.String {
	if conv.IsNullish(c.This) {
		panic(i.rt.NewTypeError("String.prototype.%s called on null or undefined", method))
	}
	return stringOf(c.This)
}

// wellFormed tells whether s has no lone surrogates; if it has, fixed is s with
// U+FFFD in their place.
func wellFormed(s goja.String) (fixed []uint16, ok bool) {
	n := s.Length()
	for at := 0; at < n; at++ {
		u := s.CharAt(at)
		if u&0xF800 != 0xD800 {
			if fixed != nil {
				fixed = append(fixed, u)
			}
			continue
		}
		if u < 0xDC00 && at+1 < n && s.CharAt(at+1)&0xFC00 == 0xDC00 {
			if fixed != nil {
				fixed = append(fixed, u, s.CharAt(at+1))
			}
			at++
			continue
		}
		if fixed == nil {
			fixed = make([]uint16, 0, n)
			for k := range at {
				fixed = append(fixed, s.CharAt(k))
			}
		}
		fixed = append(fixed, 0xFFFD)
	}
	return fixed, fixed == nil
}

// captureStackTrace gives an object the property stack: where the script is,
// from the caller of the second argument on if that is a function.
func (i *instance) captureStackTrace(c goja.FunctionCall) goja.Value {
	o, ok := c.Argument(0).(*goja.Object)
	if !ok {
		panic(i.rt.NewTypeError("Error.captureStackTrace needs an object"))
	}
	lines := strings.Split(conv.NewError(i.rt, "Error", "").Get("stack").String(), "\n")
	frames := withoutNative(lines[1:])
	if f, ok := c.Argument(1).(*goja.Object); ok {
		frames = framesBelow(frames, f.Get("name"))
	}
	head := "Error"
	if p, ok := goja.AssertFunction(conv.NewError(i.rt, "Error", "").Get("toString")); ok {
		if v, err := p(o); err == nil {
			head = v.String()
		}
	}
	text := head + "\n" + strings.Join(frames, "\n")
	if err := o.DefineDataProperty("stack", i.rt.ToValue(text), goja.FLAG_TRUE, goja.FLAG_TRUE, goja.FLAG_FALSE); err != nil {
		conv.Throw(i.rt, err)
	}
	return goja.Undefined()
}

// withoutNative drops the innermost frames that are Go functions.
func withoutNative(frames []string) []string {
	for len(frames) > 0 && strings.HasSuffix(frames[0], "(native)") {
		frames = frames[1:]
	}
	return frames
}

// framesBelow are the frames outside of the outermost call of a function. The
// interpreter does not name constructors of classes: where the name is not found,
// the function is taken to be the one that asks.
func framesBelow(frames []string, name goja.Value) []string {
	for n := len(frames) - 1; n >= 0 && name != nil && name.String() != ""; n-- {
		if strings.HasPrefix(frames[n], "\tat "+name.String()+" (") {
			return frames[n+1:]
		}
	}
	return frames[min(1, len(frames)):]
}

// escapePattern is RegExp.escape: the pattern that matches a string literally.
func (i *instance) escapePattern(c goja.FunctionCall) goja.Value {
	s, ok := c.Argument(0).(goja.String)
	if !ok {
		panic(i.rt.NewTypeError("RegExp.escape needs a string"))
	}
	var b strings.Builder
	for n, r := range []rune(s.String()) {
		escapeRune(&b, r, n == 0)
	}
	return i.rt.ToValue(b.String())
}

func escapeRune(b *strings.Builder, r rune, first bool) {
	const controls = "\t\n\v\f\r"
	switch {
	case first && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'),
		strings.ContainsRune(",-=<>#&!%:;@~'`\" ", r), r == 0xA0:
		fmt.Fprintf(b, `\x%02x`, r)
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		b.WriteByte('\\')
		b.WriteRune(r)
	case strings.ContainsRune(controls, r):
		b.WriteByte('\\')
		b.WriteByte("tnvfr"[strings.IndexRune(controls, r)])
	case strings.ContainsRune("\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff", r):
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		b.WriteRune(r)
	}
}
