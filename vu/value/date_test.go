package value

import (
	"math"
	"testing"
	"time"
)

// inZone runs a test in a local time with summer time and odd minutes.
func inZone(t testing.TB) {
	t.Helper()
	zone, err := time.LoadLocation("Australia/Lord_Howe")
	if err != nil {
		t.Skipf("no time zones here: %v", err)
	}
	before := time.Local
	time.Local = zone
	t.Cleanup(func() { time.Local = before })
}

func dateOf(v Value) *Date { return NewDateOf(v) }

func nastyDates() []Value {
	list := []Value{Undefined, Null, True, Number(math.NaN())}
	for _, ms := range []float64{0, -1, 1, 1.9, -1.9, 1700000000123, 1711900000000, 1727900000000, -62198755200000, -62198755200001, 253402300800000, 8.64e15, -8.64e15, 8.64e15 + 1, 951782400000, -1e13, end} {
		list = append(list, Number(ms))
	}
	for _, s := range append(nastyStrings(),
		"2024", "2024-02", "2024-02-30", "2024-13-01", "2024-02-29T12:34", "2024-02-29T12:34:56", "2024-02-29T12:34:56.7", "2024-02-29T12:34:56.789123456Z", "2024-02-29T24:00:00Z", "2024-02-29T24:00:01Z", "2024-02-29T12:34:56+02:00", "2024-02-29T12:34:56-0530", "2024-02-29T12:34:56+02",
		"+012024-01-01", "-000001-01-01", "-000000-01-01", "2024-1-2", "2024/01/02", "2024-01-02 03:04:05", "2024-01-02 03:04:05Z", "2024-01-02T03:04:05z", "Jan 2, 2024", "2 January 2024", "Tue Jan 02 2024 03:04:05 GMT+0100 (CET)", "Tue, 02 Jan 2024 03:04:05 +0200", "1/2/24", "1/2/1999 5:06 PM", "12:00 am 1/2/2024", "1/2/2024 12:30pm EST",
		"Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "2024-01-02T03:04", "2024-01-02T03", "2024-01-02T3:04", "2024-01-02T03:04:05.Z", "2024-01-02T03:04:05,5Z", "0", "1", "32", "49", "50", "99", "100", "1 2 3", "1 2 3 4", "(comment) 2024", "(open 2024", "2024)", "foo 2024", "2024 foo", "foo", "12:30", "-1", "+5", "1 -0", "Jan", "GMT", "2024 UTC", "2024 UTCX", "99999-01-01", "2024-01-01T00:00:00+24:00",
	) {
		list = append(list, Str(s))
	}
	return list
}

func dateText1(f DateText) func(a, b, c Value) (Value, error) {
	return pure(func(a, _, _ Value) Value { return Str(dateOf(a).Format(f)) })
}

func dateField(f DateField, local bool) func(a, b, c Value) (Value, error) {
	return pure(func(a, _, _ Value) Value { return Number(dateOf(a).Field(f, local)) })
}

func dateSet(f DateField, local bool, n int) func(a, b, c Value) (Value, error) {
	return pure(func(a, b, c Value) Value {
		d := dateOf(a)
		args := []float64{ToNumber(b), ToNumber(c), 77, 77}[:n]
		got := d.Set(f, local, args...)
		return Array(Number(got), Number(d.Time()))
	})
}

var dateMethods = []operation{
	{"new Date(a).getTime()", pure(func(a, _, _ Value) Value { return Number(dateOf(a).Time()) })},
	{"Date.parse(a)", pure(func(a, _, _ Value) Value { return Number(DateParse(ToString(a))) })},
	{"new Date(a).toISOString()", func(a, _, _ Value) (Value, error) { return str(dateOf(a).ISO()) }},
	{"new Date(a).toJSON()", func(a, _, _ Value) (Value, error) { return dateOf(a).ToJSON() }},
	{"String(new Date(a))", dateText1(DateTime)},
	{"new Date(a) + ''", pure(func(a, _, _ Value) Value { return Add(Ref(dateOf(a)), Str("")) })},
	{"new Date(a) - 1", pure(func(a, _, _ Value) Value { return Number(ToNumber(Ref(dateOf(a))) - 1) })},
	{"new Date(a) > 5", pure(func(a, _, _ Value) Value { return less(Int(5), Ref(dateOf(a))) })},
	{"new Date(a) == String(new Date(a))", pure(func(a, _, _ Value) Value { return Bool(LooseEquals(Ref(dateOf(a)), Str(dateOf(a).Format(DateTime)))) })},
	{"new Date(a).toDateString()", dateText1(DateOnly)},
	{"new Date(a).toTimeString()", dateText1(TimeOnly)},
	{"new Date(a).toUTCString()", dateText1(UTCTime)},
	{"new Date(a).toLocaleString()", dateText1(LocaleTime)},
	{"new Date(a).toLocaleDateString()", dateText1(LocaleDate)},
	{"new Date(a).toLocaleTimeString()", dateText1(LocaleHour)},
	{"new Date(a).getTimezoneOffset()", dateField(ZoneOffset, true)},
	{"new Date(a).getFullYear()", dateField(Year, true)},
	{"new Date(a).getUTCFullYear()", dateField(Year, false)},
	{"new Date(a).getMonth()", dateField(Month, true)},
	{"new Date(a).getUTCMonth()", dateField(Month, false)},
	{"new Date(a).getDate()", dateField(Day, true)},
	{"new Date(a).getUTCDate()", dateField(Day, false)},
	{"new Date(a).getDay()", dateField(WeekDay, true)},
	{"new Date(a).getUTCDay()", dateField(WeekDay, false)},
	{"new Date(a).getHours()", dateField(Hours, true)},
	{"new Date(a).getUTCHours()", dateField(Hours, false)},
	{"new Date(a).getMinutes()", dateField(Minutes, true)},
	{"new Date(a).getUTCMinutes()", dateField(Minutes, false)},
	{"new Date(a).getSeconds()", dateField(Seconds, true)},
	{"new Date(a).getMilliseconds()", dateField(Milliseconds, true)},
	{"new Date(a).getUTCMilliseconds()", dateField(Milliseconds, false)},
}

var dateSetters = []operation{
	{"{ const d = new Date(a); return [d.setFullYear(b), d.getTime()] }", dateSet(Year, true, 1)},
	{"{ const d = new Date(a); return [d.setFullYear(b, c), d.getTime()] }", dateSet(Year, true, 2)},
	{"{ const d = new Date(a); return [d.setUTCFullYear(b, c, 77), d.getTime()] }", dateSet(Year, false, 3)},
	{"{ const d = new Date(a); return [d.setMonth(b, c), d.getTime()] }", dateSet(Month, true, 2)},
	{"{ const d = new Date(a); return [d.setDate(b), d.getTime()] }", dateSet(Day, true, 1)},
	{"{ const d = new Date(a); return [d.setDate(b, c), d.getTime()] }", dateSet(Day, true, 2)},
	{"{ const d = new Date(a); return [d.setUTCDate(b), d.getTime()] }", dateSet(Day, false, 1)},
	{"{ const d = new Date(a); return [d.setHours(b, c), d.getTime()] }", dateSet(Hours, true, 2)},
	{"{ const d = new Date(a); return [d.setHours(b, c, 77, 77), d.getTime()] }", dateSet(Hours, true, 4)},
	{"{ const d = new Date(a); return [d.setUTCHours(b), d.getTime()] }", dateSet(Hours, false, 1)},
	{"{ const d = new Date(a); return [d.setMinutes(b, c, 77), d.getTime()] }", dateSet(Minutes, true, 3)},
	{"{ const d = new Date(a); return [d.setSeconds(b, c), d.getTime()] }", dateSet(Seconds, true, 2)},
	{"{ const d = new Date(a); return [d.setMilliseconds(b), d.getTime()] }", dateSet(Milliseconds, true, 1)},
	{"{ const d = new Date(a); return [d.setMinutes(), d.getTime()] }", dateSet(Minutes, true, 0)},
	{"new Date(a, b, c).getTime()", pure(func(a, b, c Value) Value { return Number(DateOf(true, ToNumber(a), ToNumber(b), ToNumber(c))) })},
	{"new Date(2024, 1, a, b, c).getTime()", pure(func(a, b, c Value) Value {
		return Number(DateOf(true, 2024, 1, ToNumber(a), ToNumber(b), ToNumber(c)))
	})},
	{"new Date(2024, 1, 29, 1, a, b, c).getTime()", pure(func(a, b, c Value) Value {
		return Number(DateOf(true, 2024, 1, 29, 1, ToNumber(a), ToNumber(b), ToNumber(c)))
	})},
	{"Date.UTC(a, b)", pure(func(a, b, _ Value) Value { return Number(DateOf(false, ToNumber(a), ToNumber(b))) })},
	{"Date.UTC(a, b, c)", pure(func(a, b, c Value) Value { return Number(DateOf(false, ToNumber(a), ToNumber(b), ToNumber(c))) })},
}

func TestDates(t *testing.T) {
	inZone(t)
	o := newOracle(t)
	for _, v := range nastyDates() {
		for _, op := range dateMethods {
			o.agree(op, v)
		}
	}
	parts := []Value{Undefined, Number(math.NaN()), Number(end), Int(0), Int(-1), Int(3), Int(13), Int(31), Int(59), Int(60), Int(99), Int(100), Int(2024), Int(-500000), Int(1e10), Number(1.9), Number(-1.9), Number(1e16), Number(1e300)}
	for _, op := range dateSetters {
		op.expression = "(() => " + op.expression + ")()"
		for _, a := range []Value{Int(0), Int(1711900000000), Number(-1e13), Number(math.NaN()), Int(50), Number(8.64e15)} {
			for _, b := range parts {
				for _, c := range parts {
					o.agree(op, a, b, c)
				}
			}
		}
	}
}

func FuzzDates(f *testing.F) {
	inZone(f)
	for _, v := range nastyDates() {
		f.Add(ToString(v), ToNumber(v))
	}
	o := newOracle(f)
	f.Fuzz(func(t *testing.T, s string, ms float64) {
		o.t = t
		for _, op := range dateMethods {
			o.agree(op, Number(ms))
		}
		o.agree(dateMethods[1], Str(Clean(s)))
	})
}
