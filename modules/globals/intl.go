package globals

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // scripts name time zones on machines that have none

	"github.com/dop251/goja"

	"github.com/jsload/jsload/modules/conv"
)

// Intl has the two formats that reports need, in English: NumberFormat and
// DateTimeFormat. Other languages are answered as the standard says, with the
// default locale, which resolvedOptions tells.

// intl is the global Intl.
func (i *instance) intl() goja.Value {
	o := i.rt.NewObject()
	_ = o.Set("NumberFormat", i.numberFormats().Constructor)
	_ = o.Set("DateTimeFormat", i.dateFormats().Constructor)
	_ = o.DefineDataPropertySymbol(goja.SymToStringTag, i.rt.ToValue("Intl"), goja.FLAG_TRUE, goja.FLAG_FALSE, goja.FLAG_FALSE)
	return o
}

func (i *instance) rangeError(text string) { panic(conv.NewError(i.rt, "RangeError", text)) }

var localeTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)

const defaultLocale = "en-US"

// locales reads a locale or a list of them.
func (i *instance) locales(v goja.Value) []string {
	var list []string
	add := func(v goja.Value) bool {
		tag := v.ToString().String()
		if !localeTag.MatchString(tag) {
			i.rangeError("Incorrect locale information provided")
		}
		list = append(list, tag)
		return true
	}
	switch o, isObject := v.(*goja.Object); {
	case v == nil || goja.IsUndefined(v):
	case isObject:
		i.rt.ForOf(o, add)
	default:
		add(v)
	}
	return list
}

func isEnglish(tag string) bool {
	return strings.EqualFold(tag, "en") || len(tag) > 3 && strings.EqualFold(tag[:3], "en-")
}

// locale is the first locale that there is something for.
func (i *instance) locale(v goja.Value) string {
	for _, tag := range i.locales(v) {
		if isEnglish(tag) {
			if len(tag) > 3 {
				return "en-" + strings.ToUpper(tag[3:])
			}
			return "en"
		}
	}
	return defaultLocale
}

func (i *instance) supportedLocales(c goja.FunctionCall) goja.Value {
	var items []any
	for _, tag := range i.locales(c.Argument(0)) {
		if isEnglish(tag) {
			items = append(items, tag)
		}
	}
	return i.rt.NewArray(items...)
}

// intlOptions reads the options of a format.
type intlOptions struct {
	inst *instance
	o    *goja.Object // nil: none were given
}

func (i *instance) intlOptions(v goja.Value) intlOptions {
	if conv.IsNullish(v) {
		return intlOptions{inst: i}
	}
	return intlOptions{i, v.ToObject(i.rt)}
}

func (o intlOptions) get(name string) goja.Value {
	if o.o == nil {
		return nil
	}
	if v := o.o.Get(name); v != nil && !goja.IsUndefined(v) {
		return v
	}
	return nil
}

// text is an option that is one of some words; missing stands for no option.
func (o intlOptions) text(name, missing string, allowed ...string) string {
	v := o.get(name)
	if v == nil {
		return missing
	}
	s := v.ToString().String()
	if len(allowed) > 0 && !slices.Contains(allowed, s) {
		o.inst.rangeError("Value " + shortened(s) + " out of range for Intl options property " + name)
	}
	return s
}

// number is an option that is a number in a range.
func (o intlOptions) number(name string, low, high, missing int) (n int, given bool) {
	v := o.get(name)
	if v == nil {
		return missing, false
	}
	f := v.ToFloat()
	if !(f >= float64(low) && f <= float64(high)) {
		o.inst.rangeError(name + " value is out of range")
	}
	return int(f), true
}

func (o intlOptions) numberStyle() *numberStyle {
	s := &numberStyle{
		style:       o.text("style", "decimal", "decimal", "percent", "currency", "unit"),
		currency:    strings.ToUpper(o.text("currency", "")),
		unit:        o.text("unit", ""),
		unitDisplay: o.text("unitDisplay", "short", "short", "long", "narrow"),

		currencyDisplay: o.text("currencyDisplay", "symbol", "symbol", "narrowSymbol", "code", "name"),
		currencySign:    o.text("currencySign", "standard", "standard", "accounting"),
		notation:        o.text("notation", "standard", "standard", "compact", "scientific", "engineering"),
		compactDisplay:  o.text("compactDisplay", "short", "short", "long"),
		signDisplay:     o.text("signDisplay", "auto", "auto", "never", "always", "exceptZero", "negative"),
	}
	switch {
	case s.style == "currency" && s.currency == "":
		panic(o.inst.rt.NewTypeError("Currency code is required with currency style."))
	case s.style == "unit" && s.unit == "":
		panic(o.inst.rt.NewTypeError("Unit is required with unit style."))
	case s.currency != "" && !currencyCode.MatchString(s.currency):
		o.inst.rangeError("Invalid currency code : " + shortened(s.currency))
	case s.unit != "" && !knownUnit(s.unit):
		o.inst.rangeError("Invalid unit argument: " + shortened(s.unit))
	}
	o.digits(s)
	s.grouping = o.grouping(s.notation)
	return s
}

var currencyCode = regexp.MustCompile(`^[A-Z]{3}$`)

func (o intlOptions) grouping(notation string) string {
	missing := "always"
	if notation == "compact" {
		missing = "min2"
	}
	v := o.get("useGrouping")
	if v == nil {
		return missing
	}
	switch v.String() {
	case "false", "":
		return ""
	case "true", "always":
		return "always"
	case "min2":
		return "min2"
	case "auto":
		return missing
	}
	o.inst.rangeError("Value " + shortened(v.String()) + " out of range for Intl options property useGrouping")
	return ""
}

// digits reads how many digits there are to be.
func (o intlOptions) digits(s *numberStyle) {
	least, most := 0, 3
	switch {
	case s.style == "currency" && s.notation == "standard":
		least = currencyDigits(s.currency)
		most = least
	case s.style == "percent" || s.notation == "compact":
		most = 0
	}
	s.minInteger, _ = o.number("minimumIntegerDigits", 1, 21, 1)
	var minGiven, maxGiven, leastGiven, mostGiven bool
	s.minSignificant, minGiven = o.number("minimumSignificantDigits", 1, 21, 1)
	s.maxSignificant, maxGiven = o.number("maximumSignificantDigits", s.minSignificant, 21, 21)
	minFraction, leastGiven := o.number("minimumFractionDigits", 0, 100, least)
	maxFraction, mostGiven := o.number("maximumFractionDigits", 0, 100, max(most, minFraction))
	if !leastGiven {
		minFraction = min(minFraction, maxFraction)
	}
	if minFraction > maxFraction {
		o.inst.rangeError("maximumFractionDigits value is out of range")
	}
	s.minFraction, s.maxFraction = minFraction, maxFraction
	s.rounded = minGiven || maxGiven || leastGiven || mostGiven
	if !minGiven && !maxGiven {
		s.minSignificant, s.maxSignificant = 0, 0
	}
}

// numberObject is the Go side of an Intl.NumberFormat.
type numberObject struct {
	conv.Own
	inst   *instance
	style  *numberStyle
	locale string
	format goja.Value // bound: it can be handed around
}

// Get returns format, which is an attribute and no method.
func (o *numberObject) Get(name string) goja.Value {
	if name != "format" {
		return o.Own.Get(name)
	}
	if o.format == nil {
		o.format = o.inst.rt.ToValue(func(c goja.FunctionCall) goja.Value {
			return o.inst.rt.ToValue(joined(o.style.parts(c.Argument(0))))
		})
	}
	return o.format
}

// Has reports whether there is such an attribute.
func (o *numberObject) Has(name string) bool { return name == "format" || o.Own.Has(name) }

// parts formats a number of a script.
func (s *numberStyle) parts(v goja.Value) []part {
	if n, ok := v.Export().(*big.Int); ok {
		return s.format(decimalOfInteger(n.String()))
	}
	f := v.ToFloat()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return s.special(f)
	}
	return s.format(decimalOf(f))
}

// partObjects are parts as scripts see them.
func (i *instance) partObjects(parts []part) goja.Value {
	items := make([]any, len(parts))
	for n, p := range parts {
		o := i.rt.NewObject()
		_ = o.Set("type", p.kind)
		_ = o.Set("value", p.text)
		items[n] = o
	}
	return i.rt.NewArray(items...)
}

func (i *instance) numberFormats() *conv.Class {
	class := conv.NewClass(i.rt, conv.ClassSpec{
		Name: "NumberFormat",
		New: func(c goja.ConstructorCall) goja.DynamicObject {
			return &numberObject{inst: i, locale: i.locale(c.Argument(0)), style: i.intlOptions(c.Argument(1)).numberStyle()}
		},
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			switch name {
			case "formatToParts":
				return func(c goja.FunctionCall) goja.Value {
					return i.partObjects(conv.MustSelf[*numberObject](i.rt, c.This, "Intl.NumberFormat").style.parts(c.Argument(0)))
				}
			case "resolvedOptions":
				return func(c goja.FunctionCall) goja.Value {
					return conv.MustSelf[*numberObject](i.rt, c.This, "Intl.NumberFormat").resolved()
				}
			}
			return nil
		},
	})
	_ = class.Constructor.Set("supportedLocalesOf", i.supportedLocales)
	return class
}

func (o *numberObject) resolved() goja.Value {
	s, r := o.style, o.inst.rt.NewObject()
	set := func(name string, v any, there bool) {
		if there {
			_ = r.Set(name, v)
		}
	}
	set("locale", o.locale, true)
	set("numberingSystem", "latn", true)
	set("style", s.style, true)
	set("currency", s.currency, s.style == "currency")
	set("currencyDisplay", s.currencyDisplay, s.style == "currency")
	set("currencySign", s.currencySign, s.style == "currency")
	set("unit", s.unit, s.style == "unit")
	set("unitDisplay", s.unitDisplay, s.style == "unit")
	set("minimumIntegerDigits", s.minInteger, true)
	set("minimumFractionDigits", s.minFraction, s.maxSignificant == 0)
	set("maximumFractionDigits", s.maxFraction, s.maxSignificant == 0)
	set("minimumSignificantDigits", s.minSignificant, s.maxSignificant > 0)
	set("maximumSignificantDigits", s.maxSignificant, s.maxSignificant > 0)
	set("useGrouping", s.grouping, s.grouping != "")
	set("useGrouping", false, s.grouping == "")
	set("notation", s.notation, true)
	set("compactDisplay", s.compactDisplay, s.notation == "compact")
	set("signDisplay", s.signDisplay, true)
	return r
}

// dateStyle reads the options of a date; date and clock are what is written if
// they name no part.
func (o intlOptions) dateStyle(locale string, required, date, clock bool) *dateStyle {
	numbers := []string{"numeric", "2-digit"}
	words := []string{"long", "short", "narrow"}
	s := &dateStyle{
		locale:  locale,
		weekday: o.text("weekday", "", words...), year: o.text("year", "", numbers...),
		month: o.text("month", "", append(words, numbers...)...), day: o.text("day", "", numbers...),
		hour: o.text("hour", "", numbers...), minute: o.text("minute", "", numbers...), second: o.text("second", "", numbers...),
		zoneName:  o.text("timeZoneName", "", "short", "long", "shortOffset", "longOffset", "shortGeneric", "longGeneric"),
		dateStyle: o.text("dateStyle", "", "full", "long", "medium", "short"),
		timeStyle: o.text("timeStyle", "", "full", "long", "medium", "short"),
		zone:      time.Local,
	}
	s.fractional, _ = o.number("fractionalSecondDigits", 1, 3, 0)
	s.hourCycle = o.hourCycle(locale)
	if v := o.get("timeZone"); v != nil {
		zone, ok := location(v.ToString().String())
		if !ok {
			o.inst.rangeError("Invalid time zone specified: " + shortened(v.String()))
		}
		s.zone = zone
	}
	if s.dateStyle != "" || s.timeStyle != "" {
		if s.hasDate() || s.hasTime() || s.zoneName != "" {
			panic(o.inst.rt.NewTypeError("dateStyle and timeStyle cannot be used with other options of the parts of a date"))
		}
		s.expand()
		return s
	}
	// What a method is for is added unless the options name it; required says
	// that a part of the other half does not count.
	missing := !s.hasDate() && !s.hasTime()
	if required {
		missing = date && !s.hasDate() || clock && !s.hasTime()
	}
	if missing {
		s.defaults(date, clock)
	}
	return s
}

func (o intlOptions) hourCycle(locale string) string {
	if v := o.get("hour12"); v != nil {
		if v.ToBoolean() {
			return "h12"
		}
		return "h23"
	}
	missing := "h12"
	if locale == "en-GB" {
		missing = "h23"
	}
	return o.text("hourCycle", missing, "h11", "h12", "h23", "h24")
}

// dateObject is the Go side of an Intl.DateTimeFormat.
type dateObject struct {
	conv.Own
	inst   *instance
	style  *dateStyle
	format goja.Value
}

// Get returns format, which is an attribute and no method.
func (o *dateObject) Get(name string) goja.Value {
	if name != "format" {
		return o.Own.Get(name)
	}
	if o.format == nil {
		o.format = o.inst.rt.ToValue(func(c goja.FunctionCall) goja.Value {
			return o.inst.rt.ToValue(joined(o.style.format(o.inst.instant(c.Argument(0)))))
		})
	}
	return o.format
}

// Has reports whether there is such an attribute.
func (o *dateObject) Has(name string) bool { return name == "format" || o.Own.Has(name) }

var errInvalidDate = errors.New("Invalid time value") //nolint:staticcheck // the text that scripts see

// instant is a date or a number of milliseconds; undefined is now.
func (i *instance) instant(v goja.Value) time.Time {
	if goja.IsUndefined(v) {
		return time.Now()
	}
	t, err := timeOf(v)
	if err != nil {
		i.rangeError(err.Error())
	}
	return t
}

// timeOf turns milliseconds, which a Date becomes as a number, into an instant.
func timeOf(v goja.Value) (time.Time, error) {
	ms := v.ToFloat()
	if !(math.Abs(ms) <= 8.64e15) {
		return time.Time{}, errInvalidDate
	}
	return time.UnixMilli(int64(ms)), nil
}

func (i *instance) dateFormats() *conv.Class {
	class := conv.NewClass(i.rt, conv.ClassSpec{
		Name: "DateTimeFormat",
		New: func(c goja.ConstructorCall) goja.DynamicObject {
			locale := i.locale(c.Argument(0))
			return &dateObject{inst: i, style: i.intlOptions(c.Argument(1)).dateStyle(locale, false, true, false)}
		},
		Method: func(name string) func(goja.FunctionCall) goja.Value {
			switch name {
			case "formatToParts":
				return func(c goja.FunctionCall) goja.Value {
					o := conv.MustSelf[*dateObject](i.rt, c.This, "Intl.DateTimeFormat")
					return i.partObjects(o.style.format(i.instant(c.Argument(0))))
				}
			case "resolvedOptions":
				return func(c goja.FunctionCall) goja.Value {
					return conv.MustSelf[*dateObject](i.rt, c.This, "Intl.DateTimeFormat").resolved()
				}
			}
			return nil
		},
	})
	_ = class.Constructor.Set("supportedLocalesOf", i.supportedLocales)
	return class
}

func (o *dateObject) resolved() goja.Value {
	s, r := o.style, o.inst.rt.NewObject()
	zone := s.zone.String()
	if zone == "Local" { // the machine does not tell its name
		zone, _ = time.Now().In(s.zone).Zone()
	}
	for _, m := range [][2]string{
		{"locale", s.locale}, {"calendar", "gregory"}, {"numberingSystem", "latn"}, {"timeZone", zone}, {"weekday", s.weekday}, {"year", s.year},
		{"month", s.month}, {"day", s.day}, {"hour", s.hour}, {"minute", s.minute}, {"second", s.second}, {"timeZoneName", s.zoneName},
		{"dateStyle", s.dateStyle}, {"timeStyle", s.timeStyle},
	} {
		if m[1] != "" {
			_ = r.Set(m[0], m[1])
		}
	}
	if s.hour != "" {
		_ = r.Set("hourCycle", s.hourCycle)
		_ = r.Set("hour12", s.twelve())
	}
	return r
}

// addLocale makes toLocaleString and its like on numbers and dates heed their
// arguments.
func (i *instance) addLocale() error {
	number := func(c goja.FunctionCall) goja.Value {
		i.locale(c.Argument(0)) // a wrong one is an error
		return i.rt.ToValue(joined(i.intlOptions(c.Argument(1)).numberStyle().parts(i.primitive(c.This))))
	}
	date := func(required, date, clock bool) func(goja.FunctionCall) goja.Value {
		return func(c goja.FunctionCall) goja.Value {
			locale := i.locale(c.Argument(0))
			style := i.intlOptions(c.Argument(1)).dateStyle(locale, required, date, clock)
			t, err := timeOf(i.primitive(c.This))
			if err != nil {
				return i.rt.ToValue("Invalid Date")
			}
			return i.rt.ToValue(joined(style.format(t)))
		}
	}
	for _, m := range []struct {
		class, name string
		f           func(goja.FunctionCall) goja.Value
	}{
		{"Number", "toLocaleString", number},
		{"BigInt", "toLocaleString", number},
		{"Date", "toLocaleString", date(false, true, true)},
		{"Date", "toLocaleDateString", date(true, true, false)},
		{"Date", "toLocaleTimeString", date(true, false, true)},
	} {
		class, err := i.global(m.class)
		if err != nil {
			return err
		}
		if err := i.define(class.Get("prototype").ToObject(i.rt), m.name, m.f); err != nil {
			return err
		}
	}
	return nil
}

// primitive is the value in a Number, a BigInt or a Date.
func (i *instance) primitive(v goja.Value) goja.Value {
	o, ok := v.(*goja.Object)
	if !ok {
		return v
	}
	valueOf, ok := goja.AssertFunction(o.Get("valueOf"))
	if !ok {
		return v
	}
	p, err := valueOf(o)
	if err != nil {
		conv.Throw(i.rt, err)
	}
	return p
}
