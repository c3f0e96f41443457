package globals

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dateStyle is how Intl.DateTimeFormat writes dates in English. Fields are named
// after the options; what is empty is not written.
type dateStyle struct {
	locale                    string // "en-GB" and "en-CA" have an order of their own
	weekday, year, month, day string
	hour, minute, second      string
	fractional                int
	zoneName                  string
	hourCycle                 string // "h11", "h12", "h23" or "h24"
	dateStyle, timeStyle      string
	zone                      *time.Location
}

func (s *dateStyle) hasDate() bool { return s.weekday+s.year+s.month+s.day != "" }
func (s *dateStyle) hasTime() bool { return s.hour+s.minute+s.second != "" || s.fractional > 0 }

// expand replaces dateStyle and timeStyle by what they stand for.
func (s *dateStyle) expand() {
	if s.dateStyle != "" {
		s.year, s.day = "numeric", "numeric"
	}
	switch s.dateStyle {
	case "full":
		s.weekday, s.month = "long", "long"
	case "long":
		s.month = "long"
	case "medium":
		s.month = "short"
	case "short":
		s.month = "numeric"
		if s.locale != "en-GB" && s.locale != "en-CA" {
			s.year = "2-digit"
		}
	}
	switch s.timeStyle {
	case "":
		return
	case "full":
		s.zoneName = "long"
	case "long":
		s.zoneName = "short"
	}
	s.hour, s.minute = "numeric", "2-digit"
	if s.timeStyle != "short" {
		s.second = "2-digit"
	}
}

// defaults adds the date, the time or both where a script names no part.
func (s *dateStyle) defaults(date, clock bool) {
	if date {
		s.year, s.month, s.day = "numeric", "numeric", "numeric"
	}
	if clock {
		s.hour, s.minute, s.second = "numeric", "2-digit", "2-digit"
	}
}

// format writes an instant.
func (s *dateStyle) format(t time.Time) []part {
	t = t.In(s.zone)
	parts := s.date(t)
	clock := s.clock(t)
	if len(parts) > 0 && len(clock) > 0 {
		between := ", "
		if s.dateStyle == "full" || s.dateStyle == "long" {
			between = " at "
		}
		parts = append(parts, part{"literal", between})
	}
	return append(parts, clock...)
}

// listed puts literals between parts that there are.
func listed(separator string, parts ...part) []part {
	var out []part
	for _, p := range parts {
		if p.text == "" {
			continue
		}
		if len(out) > 0 {
			out = append(out, part{"literal", separator})
		}
		out = append(out, p)
	}
	return out
}

func (s *dateStyle) date(t time.Time) []part {
	if !s.hasDate() {
		return nil
	}
	weekday := part{"weekday", inWords(t.Weekday().String(), s.weekday)}
	year, day := part{"year", s.yearText(t)}, part{"day", digits(t.Day(), s.day)}
	if s.month == "numeric" || s.month == "2-digit" || s.month == "" {
		return s.numeric(weekday, year, part{"month", digits(int(t.Month()), s.month)}, day)
	}
	month := part{"month", inWords(t.Month().String(), s.month)}
	if s.locale == "en-GB" {
		return slices.Concat(s.ahead(weekday), listed(" ", day, month, year))
	}
	out := listed(" ", month, day)
	switch {
	case year.text != "" && day.text != "":
		out = append(out, part{"literal", ", "}, year)
	case year.text != "":
		out = append(out, part{"literal", " "}, year)
	}
	return slices.Concat(s.ahead(weekday), out)
}

// ahead is the weekday and what separates it from the date, if both are there.
func (s *dateStyle) ahead(weekday part) []part {
	switch {
	case weekday.text == "":
		return nil
	case s.year+s.month+s.day == "":
		return []part{weekday}
	case s.locale == "en-GB" && s.weekday == "long":
		return []part{weekday, {"literal", " "}}
	}
	return []part{weekday, {"literal", ", "}}
}

// numeric is a date without words.
func (s *dateStyle) numeric(weekday, year, month, day part) []part {
	if s.locale == "en-GB" || s.locale == "en-CA" {
		if month.text != "" && (day.text != "" || year.text != "") {
			month.text = pad(month.text, 2, true)
			if day.text != "" {
				day.text = pad(day.text, 2, true)
			}
		}
	}
	var out []part
	switch s.locale {
	case "en-GB":
		out = listed("/", day, month, year)
	case "en-CA":
		out = listed("-", year, month, day)
	default:
		out = listed("/", month, day, year)
	}
	return slices.Concat(s.ahead(weekday), out)
}

func (s *dateStyle) yearText(t time.Time) string {
	if s.year == "2-digit" {
		return digits((t.Year()%100+100)%100, s.year)
	}
	return digits(t.Year(), s.year)
}

// digits writes a number as an option asks: not at all, plain or in two digits.
func digits(n int, how string) string {
	switch how {
	case "":
		return ""
	case "2-digit":
		return fmt.Sprintf("%02d", n)
	}
	return strconv.Itoa(n)
}

func inWords(name, how string) string {
	switch how {
	case "":
		return ""
	case "short":
		if name == "September" {
			return "Sep"
		}
		return name[:3]
	case "narrow":
		return name[:1]
	}
	return name
}

func (s *dateStyle) clock(t time.Time) []part {
	second := part{"second", digits(t.Second(), s.second)}
	minute := part{"minute", digits(t.Minute(), s.minute)}
	if s.hour != "" || second.text != "" {
		minute.text = padIf(minute.text)
	}
	if minute.text != "" {
		second.text = padIf(second.text)
	}
	out := listed(":", s.hourPart(t), minute, second)
	if s.fractional > 0 {
		if len(out) > 0 {
			out = append(out, part{"literal", "."})
		}
		out = append(out, part{"fractionalSecond", fmt.Sprintf("%03d", t.Nanosecond()/1e6)[:s.fractional]})
	}
	if s.hour != "" && s.twelve() {
		out = append(out, part{"literal", " "}, part{"dayPeriod", s.half(t.Hour())})
	}
	if s.zoneName != "" {
		if len(out) > 0 {
			out = append(out, part{"literal", " "})
		} else if s.hasDate() {
			return []part{{"timeZoneName", zoneName(t, s.zoneName)}}
		}
		out = append(out, part{"timeZoneName", zoneName(t, s.zoneName)})
	}
	return out
}

func padIf(s string) string {
	if s == "" {
		return ""
	}
	return pad(s, 2, true)
}

func (s *dateStyle) twelve() bool { return s.hourCycle == "h11" || s.hourCycle == "h12" }

func (s *dateStyle) hourPart(t time.Time) part {
	if s.hour == "" {
		return part{"hour", ""}
	}
	h := t.Hour()
	switch {
	case s.twelve():
		if h %= 12; h == 0 && s.hourCycle == "h12" {
			h = 12
		}
		return part{"hour", digits(h, s.hour)}
	case h == 0 && s.hourCycle == "h24":
		h = 24
	}
	return part{"hour", digits(h, "2-digit")}
}

func (s *dateStyle) half(hour int) string {
	n := hour / 12
	switch s.locale {
	case "en-GB":
		return [...]string{"am", "pm"}[n]
	case "en-CA":
		return [...]string{"a.m.", "p.m."}[n]
	}
	return [...]string{"AM", "PM"}[n]
}

// zoneName is the name of a time zone; where English has none of its own, the
// distance from GMT.
func zoneName(t time.Time, how string) string {
	name, offset := t.Zone()
	long := how == "long"
	if offset == 0 && name == "UTC" && (long || how == "short") {
		if long {
			return "Coordinated Universal Time"
		}
		return name
	}
	american := map[byte]string{'E': "Eastern", 'C': "Central", 'M': "Mountain", 'P': "Pacific"}
	if len(name) == 3 && offset <= -4*3600 && offset >= -8*3600 && american[name[0]] != "" && name[2] == 'T' && (long || how == "short") {
		if !long {
			return name
		}
		return american[name[0]] + map[byte]string{'S': " Standard", 'D': " Daylight"}[name[1]] + " Time"
	}
	return distance(offset, long || strings.HasPrefix(how, "long"))
}

func distance(offset int, long bool) string {
	if offset == 0 {
		return "GMT"
	}
	sign, minutes := '+', offset/60
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	switch {
	case long:
		return fmt.Sprintf("GMT%c%02d:%02d", sign, minutes/60, minutes%60)
	case minutes%60 != 0:
		return fmt.Sprintf("GMT%c%d:%02d", sign, minutes/60, minutes%60)
	}
	return fmt.Sprintf("GMT%c%d", sign, minutes/60)
}

// location finds a time zone: a name of the IANA database or a distance such as
// +05:30.
func location(name string) (*time.Location, bool) {
	if len(name) == 6 && (name[0] == '+' || name[0] == '-') && name[3] == ':' {
		t, err := time.Parse("-07:00", name)
		if err != nil {
			return nil, false
		}
		_, offset := t.Zone()
		return time.FixedZone(name, offset), true
	}
	switch strings.ToUpper(name) {
	case "", "LOCAL":
		return nil, false
	case "UTC", "GMT", "ETC/UTC", "ETC/GMT":
		return time.UTC, true
	}
	l, err := time.LoadLocation(name)
	return l, err == nil
}
