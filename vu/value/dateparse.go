package value

import (
	"math"
	"strings"
	"time"
)

// DateParse is Date.parse(s): the ISO form, and the many forms that the script tier
// takes beside it. It is NaN for what is no date.
func DateParse(s string) float64 {
	s = WellFormed(s)
	t, ok := parseISO(s)
	if !ok {
		if t, ok = parseLooseDate(s); !ok {
			return math.NaN()
		}
	}
	return t.time()
}

// dateText is a date as it was read. Without a zone it is local time.
type dateText struct {
	year, month, day, hour, minute, second, ms int
	zoned                                      bool
	offset                                     int // minutes east of UTC
}

func (d *dateText) time() float64 {
	late := d.hour == 24 && (d.minute != 0 || d.second != 0 || d.ms != 0)
	if d.month > 12 || d.day > 31 || d.hour > 24 || d.minute > 59 || d.second > 59 || late {
		return math.NaN()
	}
	where := time.Local
	if d.zoned {
		where = time.FixedZone("", d.offset*60)
	}
	t := time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.second, d.ms*1e6, where)
	return dateValue(float64(t.UnixMilli()))
}

// dateReader reads a text from its front.
type dateReader struct{ s string }

func (r *dateReader) peek() byte {
	if r.s == "" {
		return 0
	}
	return r.s[0]
}

func (r *dateReader) take(c byte) bool {
	if r.s == "" || r.s[0] != c {
		return false
	}
	r.s = r.s[1:]
	return true
}

// digits reads a number of lo to hi digits; without them it reads nothing.
func (r *dateReader) digits(lo, hi int) (n, length int) {
	for length < hi && length < len(r.s) && r.s[length] >= '0' && r.s[length] <= '9' {
		n = n*10 + int(r.s[length]-'0')
		length++
	}
	if length < lo {
		return 0, 0
	}
	r.s = r.s[length:]
	return n, length
}

// two reads exactly two digits into n.
func (r *dateReader) two(n *int) bool {
	v, length := r.digits(2, 2)
	*n = v
	return length == 2
}

// fraction reads a point or comma and up to nine digits, as milliseconds.
func (r *dateReader) fraction() int {
	if c := r.peek(); c != '.' && c != ',' {
		return 0
	}
	ms, place, n := 0, 100, 1
	for n < len(r.s) && n < 10 && r.s[n] >= '0' && r.s[n] <= '9' {
		ms += int(r.s[n]-'0') * place
		place /= 10
		n++
	}
	if n > 1 {
		r.s = r.s[n:]
	}
	return ms
}

// zone reads Z or an offset of hours and minutes. A strict one has two or four
// digits, or a colon.
func (r *dateReader) zone(strict bool) (minutes int, ok bool) {
	if r.take('Z') {
		return 0, true
	}
	sign := 1
	switch r.peek() {
	case '+':
	case '-':
		sign = -1
	default:
		return 0, false
	}
	rest := dateReader{r.s[1:]}
	hour, length := rest.digits(1, 9)
	if length == 0 || strict && length != 2 && length != 4 {
		return 0, false
	}
	for ; length > 4; length -= 2 {
		hour /= 100
	}
	minute := 0
	if length > 2 {
		hour, minute = hour/100, hour%100
	} else if rest.take(':') && !rest.two(&minute) {
		return 0, false
	}
	if hour > 23 || minute > 59 {
		return 0, false
	}
	r.s = rest.s
	return sign * (hour*60 + minute), true
}

// parseISO reads YYYY-MM-DDTHH:mm:ss.sssZ and its shorter forms.
func parseISO(s string) (*dateText, bool) {
	r, d := dateReader{s}, &dateText{month: 1, day: 1, zoned: true}
	if !r.isoDay(d) {
		return nil, false
	}
	if r.take('T') {
		if !r.two(&d.hour) || !r.take(':') || !r.two(&d.minute) {
			return nil, false
		}
		if r.take(':') {
			if !r.two(&d.second) {
				return nil, false
			}
			d.ms = r.fraction()
		}
		d.zoned = false
	}
	if r.s != "" {
		var ok bool
		if d.offset, ok = r.zone(true); !ok {
			return nil, false
		}
		d.zoned = true
	}
	return d, r.s == ""
}

func (r *dateReader) isoDay(d *dateText) bool {
	sign, width := r.peek(), 4
	if sign == '+' || sign == '-' {
		r.s, width = r.s[1:], 6
	}
	n, length := r.digits(width, width)
	if length == 0 || sign == '-' && n == 0 {
		return false
	}
	d.year = n
	if sign == '-' {
		d.year = -n
	}
	if !r.take('-') {
		return true
	}
	if !r.two(&d.month) || d.month < 1 {
		return false
	}
	if !r.take('-') {
		return true
	}
	return r.two(&d.day) && d.day >= 1
}

// looseDate reads the forms that people and servers write: words, numbers of which
// the long ones are years, times with colons, zones.
type looseDate struct {
	dateReader
	d                        dateText
	short                    []int // numbers that may be months, days or years
	hasYear, hasMon, hasTime bool
}

func parseLooseDate(s string) (*dateText, bool) {
	p := &looseDate{dateReader: dateReader{s}, d: dateText{year: 2001, month: 1, day: 1}}
	for {
		p.s = strings.TrimLeft(p.s, " ")
		if p.s == "" {
			break
		}
		separated, ok := p.part()
		if !ok {
			return nil, false
		}
		if separated {
			p.s = strings.TrimLeft(p.s, "-/.,")
		}
	}
	return &p.d, p.settle() && p.d.month > 0 && p.d.day > 0
}

// part reads the next thing. separated says that punctuation may follow it.
func (p *looseDate) part() (separated, ok bool) {
	switch c := p.peek(); {
	case c == '+' || c == '-':
		return true, p.signed(c)
	case c >= '0' && c <= '9':
		return p.number()
	case c == '(':
		return true, p.comment()
	case c == ')':
		return false, false
	}
	if month := p.word(monthNames); month > 0 {
		p.d.month, p.hasMon = month, true
		p.until("0123456789 -/(")
		return true, true
	}
	if at := p.word(zoneNames); at > 0 {
		p.d.offset, p.d.zoned = zoneOffsets[at-1], true
		c := p.peek() | 0x20
		return false, p.s == "" || c < 'a' || c > 'z'
	}
	if p.hasYear || p.hasMon || p.hasTime || len(p.short) > 0 {
		return false, false
	}
	p.until(" -/(") // a word before the date, such as the day of the week
	return true, true
}

func (p *looseDate) until(stops string) {
	for p.s != "" && strings.IndexByte(stops, p.s[0]) < 0 {
		p.s = p.s[1:]
	}
}

// signed reads an offset behind a time, elsewhere a year.
func (p *looseDate) signed(sign byte) bool {
	if p.hasTime {
		if offset, ok := p.zone(false); ok {
			p.d.offset, p.d.zoned = offset, true
			return true
		}
	}
	p.s = p.s[1:]
	n, length := p.digits(1, 9)
	if length == 0 {
		return true
	}
	if sign == '-' {
		if n == 0 {
			return false
		}
		n = -n
	}
	p.d.year, p.hasYear = n, true
	return true
}

func (p *looseDate) number() (separated, ok bool) {
	n, length := p.digits(1, 9)
	switch {
	case p.take(':'):
		return p.timeOfDay(n)
	case length > 2:
		p.d.year, p.hasYear = n, true
	case n < 1 || n > 31:
		p.d.year, p.hasYear = century(n), true
	case len(p.short) == 3:
		return false, false
	default:
		p.short = append(p.short, n)
	}
	return true, true
}

// century is the year that two digits mean.
func century(n int) int {
	switch {
	case n < 50:
		return n + 2000
	case n < 100:
		return n + 1900
	}
	return n
}

func (p *looseDate) timeOfDay(hour int) (separated, ok bool) {
	p.d.hour, p.hasTime = hour, true
	var length int
	if p.d.minute, length = p.digits(1, 2); length == 0 {
		return false, false
	}
	if p.take(':') {
		if p.d.second, length = p.digits(1, 2); length == 0 {
			return false, false
		}
		p.d.ms = p.fraction()
	}
	rest := dateReader{strings.TrimLeft(p.s, " ")}
	switch rest.word([]string{"pm", "am"}) {
	case 1:
		if p.d.hour < 12 {
			p.d.hour += 12
		}
	case 2:
		if p.d.hour == 12 {
			p.d.hour = 0
		}
	default:
		return true, true
	}
	p.s = rest.s
	return false, true
}

// comment skips what is in parentheses.
func (p *looseDate) comment() bool {
	for level := 0; p.s != ""; {
		switch p.s[0] {
		case '(':
			level++
		case ')':
			level--
		}
		p.s = p.s[1:]
		if level == 0 {
			return true
		}
	}
	return false
}

var (
	monthNames  = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	zoneNames   = []string{"gmt", "utc", "ut", "z", "edt", "est", "cdt", "cst", "mdt", "mst", "pdt", "pst", "wet", "west", "cet", "cest", "eet", "eest"}
	zoneOffsets = []int{0, 0, 0, 0, -240, -300, -300, -360, -360, -420, -420, -480, 0, 60, 60, 120, 120, 180}
)

// word reads one of the words, in any case, and gives its number from 1; 0 if it is
// none of them.
func (r *dateReader) word(words []string) int {
	for i, w := range words {
		if len(r.s) >= len(w) && asciiFold(r.s[:len(w)]) == w {
			r.s = r.s[len(w):]
			return i + 1
		}
	}
	return 0
}

func asciiFold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return s
}

// settle gives the short numbers their meaning.
func (p *looseDate) settle() bool {
	d, n := &p.d, p.short
	known := len(n)
	if p.hasYear {
		known++
	}
	if p.hasMon {
		known++
	}
	if known > 3 {
		return false
	}
	switch len(n) {
	case 0:
		return p.hasYear
	case 1:
		if p.hasMon {
			d.day = n[0]
		} else {
			d.month = n[0]
		}
	case 2:
		if p.hasMon && !p.hasYear {
			d.day, d.year = n[0], century(n[1])
		} else {
			d.month, d.day = n[0], n[1]
		}
	case 3:
		d.month, d.day, d.year = n[0], n[1], century(n[2])
	}
	return true
}
