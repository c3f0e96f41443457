package value

import (
	"math"
	"strconv"
	"time"
)

// maxDate is how far a date may be from the epoch, in milliseconds.
const maxDate = 8.64e15

const invalidDate = "Invalid Date"

// Date is a date object, a Host. Local time is that of the process.
type Date struct{ ms float64 }

// NewDate is new Date(ms): milliseconds since the epoch. What is no time, or too
// far, makes an invalid date.
func NewDate(ms float64) *Date { return &Date{ms: dateValue(ms)} }

func dateValue(ms float64) float64 {
	if math.Abs(ms) > maxDate || ms != ms {
		return math.NaN()
	}
	return math.Trunc(ms) + 0 // without the sign of zero
}

// NewDateOf is new Date(v) with one value of any kind.
func NewDateOf(v Value) *Date {
	if d, ok := v.Host().(*Date); ok {
		return NewDate(d.ms)
	}
	v = ToPrimitive(v, false)
	if v.kind == KindString {
		return &Date{ms: DateParse(v.str)}
	}
	return NewDate(ToNumber(v))
}

// DateOf is the time of the parts year, month from 0, day, hours, minutes, seconds
// and milliseconds, of which the first two must be there: new Date(y, m, ...) if
// local, else Date.UTC(y, m, ...). It is NaN if there is no such time.
func DateOf(local bool, parts ...float64) float64 {
	all := [7]float64{2: 1}
	copy(all[:], parts)
	if y := toInteger(all[0]); y >= 0 && y <= 99 && all[0] == all[0] {
		all[0] = y + 1900
	}
	return dateOfParts(local, all)
}

func dateOfParts(local bool, parts [7]float64) float64 {
	var n [7]int64
	for i, p := range parts {
		if p != p || math.Abs(p) > 1e17 {
			return math.NaN()
		}
		n[i] = int64(p)
	}
	carry(&n[5], &n[6], 1000)
	carry(&n[4], &n[5], 60)
	carry(&n[3], &n[4], 60)
	carry(&n[2], &n[3], 24)
	carry(&n[0], &n[1], 12)
	if n[0] != int64(int32(n[0])) || n[2] != int64(int32(n[2])) {
		return math.NaN()
	}
	t := time.Date(int(n[0]), time.Month(n[1]+1), int(n[2]), int(n[3]), int(n[4]), int(n[5]), int(n[6])*1e6, zone(local))
	return dateValue(float64(t.UnixMilli()))
}

// carry moves whole units of low, base of which make one of high.
func carry(high, low *int64, base int64) {
	n := *low / base
	if *low%base < 0 {
		n--
	}
	*high += n
	*low -= n * base
}

func zone(local bool) *time.Location {
	if local {
		return time.Local
	}
	return time.UTC
}

// Class is Date.
func (*Date) Class() string { return "Date" }

// Time is d.getTime(), NaN of an invalid date.
func (d *Date) Time() float64 { return d.ms }

// Valid tells whether the date is a time.
func (d *Date) Valid() bool { return d.ms == d.ms }

// Primitive is the time or the text.
func (d *Date) Primitive(number bool) Value {
	if number {
		return Number(d.ms)
	}
	return Str(d.Format(DateTime))
}

// ToJSON is the text in ISO form, null of an invalid date.
func (d *Date) ToJSON() (Value, error) {
	if !d.Valid() {
		return Null, nil
	}
	return Str(string(d.AppendISO(nil))), nil
}

// ISO is d.toISOString().
func (d *Date) ISO() (string, error) {
	if !d.Valid() {
		return "", RangeError("Invalid time value")
	}
	return string(d.AppendISO(nil)), nil
}

// AppendISO appends the ISO form of a valid date.
func (d *Date) AppendISO(b []byte) []byte {
	t := d.in(false)
	y := t.Year()
	if y >= -9999 && y <= 9999 {
		return t.AppendFormat(b, "2006-01-02T15:04:05.000Z")
	}
	if y > 0 {
		b = append(b, '+')
	}
	return t.AppendFormat(strconv.AppendInt(b, int64(y), 10), "-01-02T15:04:05.000Z")
}

func (d *Date) in(local bool) time.Time {
	return time.UnixMilli(int64(d.ms)).In(zone(local))
}

// DateText is a text form of a date.
type DateText string

// The text forms: of toString, toDateString, toTimeString, toUTCString and the
// three of toLocaleString.
const (
	DateTime   DateText = "Mon Jan 02 2006 15:04:05 GMT-0700 (MST)"
	DateOnly   DateText = "Mon Jan 02 2006"
	TimeOnly   DateText = "15:04:05 GMT-0700 (MST)"
	UTCTime    DateText = "Mon, 02 Jan 2006 15:04:05 GMT"
	LocaleTime DateText = "01/02/2006, 15:04:05"
	LocaleDate DateText = "01/02/2006"
	LocaleHour DateText = "15:04:05"
)

// Format writes the date in one of the text forms.
func (d *Date) Format(f DateText) string {
	if !d.Valid() {
		return invalidDate
	}
	return d.in(f != UTCTime).Format(string(f))
}

// DateField is a part of a date.
type DateField uint8

// The parts, in the order of the constructor; WeekDay, which cannot be set, and
// ZoneOffset, in minutes west of UTC, come after.
const (
	Year DateField = iota
	Month
	Day
	Hours
	Minutes
	Seconds
	Milliseconds
	WeekDay
	ZoneOffset
)

// Field is a getter: d.getFullYear() and the like, of local time or UTC. It is NaN
// of an invalid date.
func (d *Date) Field(f DateField, local bool) float64 {
	if !d.Valid() {
		return math.NaN()
	}
	t := d.in(local)
	switch f {
	case Year:
		return float64(t.Year())
	case Month:
		return float64(t.Month() - 1)
	case Day:
		return float64(t.Day())
	case Hours:
		return float64(t.Hour())
	case Minutes:
		return float64(t.Minute())
	case Seconds:
		return float64(t.Second())
	case Milliseconds:
		return float64(t.Nanosecond() / 1e6)
	case WeekDay:
		return float64(t.Weekday())
	}
	_, offset := t.Zone()
	return -float64(offset) / 60
}

// SetTime is d.setTime(ms).
func (d *Date) SetTime(ms float64) float64 {
	d.ms = dateValue(ms)
	return d.ms
}

// Set is a setter: d.setHours(h, m, ...) and the like for f and the parts behind
// it, of local time or UTC. It gives the new time. An invalid date stays so, but for
// its year, which is set from the epoch on.
func (d *Date) Set(f DateField, local bool, values ...float64) float64 {
	switch {
	case !d.Valid() && f == Year:
		d.ms = dateOfParts(local, [7]float64{1970, 0, 1})
	case !d.Valid():
		return d.ms
	case f == Milliseconds && len(values) > 0:
		return d.SetTime(math.Trunc(d.ms/1000)*1000 + math.Trunc(values[0]))
	}
	var parts [7]float64
	for i := range parts {
		parts[i] = d.Field(DateField(i), local)
	}
	if len(values) == 0 {
		values = []float64{math.NaN()}
	}
	copy(parts[f:], values[:min(len(values), setterArguments(f))])
	d.ms = dateOfParts(local, parts)
	return d.ms
}

// setterArguments is how many parts one setter takes: those of the day, or those
// of the time of day.
func setterArguments(f DateField) int {
	if f <= Day {
		return int(Day-f) + 1
	}
	return int(Milliseconds-f) + 1
}
