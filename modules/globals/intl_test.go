package globals

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestNumberFormat(t *testing.T) {
	for _, c := range []struct{ number, options, want string }{
		{"1234567.891", "", "1,234,567.891"},
		{"0", "", "0"},
		{"-0", "", "-0"},
		{"-1234.5", "", "-1,234.5"},
		{"1e21", "", "1,000,000,000,000,000,000,000"},
		{"1.23456e-7", "", "0"},
		{"0.0005", "", "0.001"},
		{"1.005", "{maximumFractionDigits: 2}", "1.01"},
		{"2.5", "{maximumFractionDigits: 0}", "3"},
		{"999.999", "{maximumFractionDigits: 2}", "1,000"},
		{"5", "{minimumFractionDigits: 2}", "5.00"},
		{"5", "{minimumIntegerDigits: 3}", "005"},
		{"1234", "{useGrouping: false}", "1234"},
		{"1234", `{useGrouping: "min2"}`, "1234"},
		{"123456", "{maximumSignificantDigits: 3}", "123,000"},
		{"0.00012345", "{maximumSignificantDigits: 2}", "0.00012"},
		{"5", "{minimumSignificantDigits: 3}", "5.00"},
		{"0", "{minimumSignificantDigits: 3}", "0.00"},
		{"0.256", `{style: "percent"}`, "26%"},
		{"0.2567", `{style: "percent", maximumFractionDigits: 1}`, "25.7%"},
		{"1234.5", `{style: "currency", currency: "usd"}`, "$1,234.50"},
		{"-1234.5", `{style: "currency", currency: "EUR"}`, "-€1,234.50"},
		{"-5", `{style: "currency", currency: "USD", currencySign: "accounting"}`, "($5.00)"},
		{"1234.5", `{style: "currency", currency: "JPY"}`, "¥1,235"},
		{"5", `{style: "currency", currency: "CHF"}`, "CHF\u00A05.00"},
		{"5", `{style: "currency", currency: "CAD", currencyDisplay: "narrowSymbol"}`, "$5.00"},
		{"5", `{style: "currency", currency: "USD", currencyDisplay: "name"}`, "5.00 US dollars"},
		{"5", `{style: "currency", currency: "USD", maximumFractionDigits: 0}`, "$5"},
		{"1234", `{notation: "compact"}`, "1.2K"},
		{"12345", `{notation: "compact"}`, "12K"},
		{"999999", `{notation: "compact"}`, "1M"},
		{"5", `{notation: "compact"}`, "5"},
		{"0.256", `{notation: "compact"}`, "0.26"},
		{"1234567", `{notation: "compact", compactDisplay: "long"}`, "1.2 million"},
		{"1234567", `{notation: "compact", maximumFractionDigits: 2}`, "1.23M"},
		{"1e16", `{notation: "compact"}`, "10,000T"},
		{"123456", `{notation: "scientific"}`, "1.235E5"},
		{"0.00012", `{notation: "engineering"}`, "120E-6"},
		{"0", `{notation: "scientific"}`, "0E0"},
		{"5", `{signDisplay: "always"}`, "+5"},
		{"0", `{signDisplay: "exceptZero"}`, "0"},
		{"-5", `{signDisplay: "never"}`, "5"},
		{"1500", `{style: "unit", unit: "millisecond"}`, "1,500 ms"},
		{"2", `{style: "unit", unit: "second", unitDisplay: "long"}`, "2 seconds"},
		{"1", `{style: "unit", unit: "second", unitDisplay: "long"}`, "1 second"},
		{"3", `{style: "unit", unit: "megabyte-per-second"}`, "3 MB/s"},
		{"3", `{style: "unit", unit: "kilometer-per-hour", unitDisplay: "long"}`, "3 kilometers per hour"},
		{"21", `{style: "unit", unit: "celsius"}`, "21°C"},
		{"NaN", "", "NaN"},
		{"-Infinity", `{style: "percent"}`, "-∞%"},
		{"12345678901234567890n", "", "12,345,678,901,234,567,890"},
		{`"1234.5"`, "", "1,234.5"},
	} {
		snippet{`return new Intl.NumberFormat("en-US"` + comma(c.options) + `).format(` + c.number + `)`, c.want}.run(t)
	}
}

func comma(options string) string {
	if options == "" {
		return ""
	}
	return ", " + options
}

func TestNumberFormatMembers(t *testing.T) {
	runAll(t, []snippet{
		{`return (1234.5).toLocaleString() + "|" + (1234.5).toLocaleString("en-US", {minimumFractionDigits: 2}) + "|" + 123456n.toLocaleString("de") + "|" + [1234, 5678].map(new Intl.NumberFormat().format)`, "1,234.5|1,234.50|123,456|1,234,5,678"},
		{`return new Intl.NumberFormat("en", {style: "currency", currency: "USD"}).formatToParts(-1234.5).map(p => p.type + p.value).join(" ")`, "minusSign- currency$ integer1 group, integer234 decimal. fraction50"},
		{`const r = new Intl.NumberFormat("fr-FR").resolvedOptions(); return [r.locale, r.style, r.maximumFractionDigits, Intl.NumberFormat.supportedLocalesOf(["fr", "en-GB"]), new Intl.NumberFormat("EN-gb").resolvedOptions().locale].join()`, "en-US,decimal,3,en-GB,en-GB"},
		{`return [() => new Intl.NumberFormat("x_y"), () => new Intl.NumberFormat("en", {style: "currency"}), () => new Intl.NumberFormat("en", {style: "currency", currency: "EURO"}), () => new Intl.NumberFormat("en", {maximumFractionDigits: 101}), () => new Intl.NumberFormat("en", {minimumFractionDigits: 5, maximumFractionDigits: 2}), () => new Intl.NumberFormat("en", {style: "unit", unit: "parsec"}), () => new Intl.NumberFormat("en", {style: "fancy"}), () => (1).toLocaleString("!"), () => new Intl.NumberFormat().format(Symbol())].map(f => { try { return f() } catch (e) { return e.name } }).join()`,
			"RangeError,TypeError,RangeError,RangeError,RangeError,RangeError,RangeError,RangeError,TypeError"},
		{`return Object.prototype.toString.call(Intl) + Object.prototype.toString.call(new Intl.NumberFormat())`, "[object Intl][object NumberFormat]"},
		{`return typeof Number.prototype.toLocaleString + [1234.5, 2].toLocaleString()`, "function1,234.5,2"},
	})
}

func TestDateTimeFormat(t *testing.T) {
	const date = "new Date(Date.UTC(2020, 0, 2, 15, 4, 5, 67))"
	for _, c := range []struct{ locale, options, want string }{
		{"en-US", "", "1/2/2020"},
		{"en-GB", "", "02/01/2020"},
		{"en-CA", "", "2020-01-02"},
		{"en-US", `dateStyle: "full", timeStyle: "full"`, "Thursday, January 2, 2020 at 3:04:05 PM Coordinated Universal Time"},
		{"en-US", `dateStyle: "long", timeStyle: "long"`, "January 2, 2020 at 3:04:05 PM UTC"},
		{"en-US", `dateStyle: "medium", timeStyle: "medium"`, "Jan 2, 2020, 3:04:05 PM"},
		{"en-US", `dateStyle: "short", timeStyle: "short"`, "1/2/20, 3:04 PM"},
		{"en-GB", `dateStyle: "full", timeStyle: "short"`, "Thursday 2 January 2020 at 15:04"},
		{"en-GB", `dateStyle: "short"`, "02/01/2020"},
		{"en-US", `year: "numeric", month: "long"`, "January 2020"},
		{"en-US", `weekday: "short", month: "short", day: "numeric"`, "Thu, Jan 2"},
		{"en-GB", `weekday: "short", year: "numeric", month: "short", day: "numeric"`, "Thu, 2 Jan 2020"},
		{"en-US", `year: "2-digit", month: "2-digit", day: "2-digit"`, "01/02/20"},
		{"en-US", `weekday: "long"`, "Thursday"},
		{"en-US", `month: "narrow"`, "J"},
		{"en-US", `hour: "numeric"`, "3 PM"},
		{"en-US", `hour: "2-digit", minute: "2-digit", hour12: false`, "15:04"},
		{"en-US", `hour: "numeric", minute: "numeric", second: "numeric", fractionalSecondDigits: 3, hourCycle: "h23"`, "15:04:05.067"},
		{"en-US", `minute: "numeric", second: "numeric"`, "04:05"},
		{"en-US", `hour: "numeric", timeZoneName: "short", timeZone: "America/New_York"`, "10 AM EST"},
		{"en-US", `hour: "numeric", timeZoneName: "long", timeZone: "America/New_York"`, "10 AM Eastern Standard Time"},
		{"en-US", `hour: "numeric", timeZoneName: "short", timeZone: "Asia/Kolkata"`, "8 PM GMT+5:30"},
		{"en-US", `hour: "numeric", timeZone: "+05:30"`, "8 PM"},
		{"en-US", `year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false`, "01/02/2020, 15:04:05"},
	} {
		options := c.options
		if !strings.Contains(options, "timeZone:") {
			options += `, timeZone: "UTC"`
		}
		snippet{`return new Intl.DateTimeFormat("` + c.locale + `", {` + strings.TrimPrefix(options, ", ") + `}).format(` + date + `)`, c.want}.run(t)
	}
}

func TestDateTimeFormatMembers(t *testing.T) {
	runAll(t, []snippet{
		{`const d = new Date(Date.UTC(2020, 0, 2, 0, 4, 5)), o = {timeZone: "UTC"}; return [d.toLocaleString("en-US", o), d.toLocaleDateString("en-US", o), d.toLocaleTimeString("en-US", o), d.toLocaleDateString("en-US", {...o, hour: "2-digit"}), d.toLocaleTimeString("en-US", {...o, month: "short"})].join(" | ")`,
			"1/2/2020, 12:04:05 AM | 1/2/2020 | 12:04:05 AM | 1/2/2020, 12 AM | Jan, 12:04:05 AM"},
		{`return new Intl.DateTimeFormat("en-US", {timeZone: "UTC", dateStyle: "medium"}).formatToParts(0).map(p => p.type + "=" + p.value).join(";")`, "month=Jan;literal= ;day=1;literal=, ;year=1970"},
		{`const r = new Intl.DateTimeFormat("en-GB", {timeZone: "Europe/Berlin", hour: "numeric"}).resolvedOptions(); return [r.locale, r.timeZone, r.hourCycle, r.hour12, typeof new Intl.DateTimeFormat().resolvedOptions().timeZone].join()`, "en-GB,Europe/Berlin,h23,false,string"},
		{`return [() => new Date(NaN).toLocaleString(), () => new Intl.DateTimeFormat().format(NaN), () => new Intl.DateTimeFormat("en", {timeZone: "Mars/Base"}), () => new Intl.DateTimeFormat("en", {timeZone: "../etc"}), () => new Intl.DateTimeFormat("en", {dateStyle: "short", day: "numeric"}), () => new Intl.DateTimeFormat("en", {month: "big"}), () => new Intl.DateTimeFormat("en", {fractionalSecondDigits: 4})].map(f => { try { return f() } catch (e) { return e.name } }).join()`,
			"Invalid Date,RangeError,RangeError,RangeError,TypeError,RangeError,RangeError"},
		{`return new Intl.DateTimeFormat("en-US", {timeZone: "UTC"}).format().split("/").length`, "3"},
	})
}

// FuzzDecimal compares rounding with package strconv where that rounds exact
// values alike: when there is nothing to round.
func FuzzDecimal(f *testing.F) {
	f.Add(1234.5, 2)
	f.Add(-9.995, 2)
	f.Add(1e300, 0)
	f.Fuzz(func(t *testing.T, x float64, n int) {
		if math.IsNaN(x) || math.IsInf(x, 0) || n < 0 || n > 100 {
			return
		}
		d := decimalOf(x)
		d.round(n)
		integer, fraction := d.text()
		got, err := strconv.ParseFloat(integer+"."+fraction+"0", 64)
		if err != nil || len(fraction) > n {
			t.Fatalf("%v to %d digits is %s.%s", x, n, integer, fraction)
		}
		if step := math.Pow(10, -float64(n)); math.Abs(got-math.Abs(x)) > step*0.5000001+math.Abs(x)*1e-15 {
			t.Fatalf("%v to %d digits is %s.%s", x, n, integer, fraction)
		}
	})
}
