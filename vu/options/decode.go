package options

import (
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Script decodes the options a script exports, as JSON. Its layer has all
// problems of them.
func Script(data []byte) Layer {
	root, err := parseJSON(data)
	return decodeLayer(LayerScript, root, err, useScript)
}

// File decodes a configuration file: YAML if its name ends in .yaml or .yml,
// else JSON. name is also what problems call the file.
func File(name string, data []byte) Layer {
	parse := parseJSON
	if ext := strings.ToLower(filepath.Ext(name)); ext == ".yaml" || ext == ".yml" {
		parse = parseYAML
	}
	root, err := parse(data)
	if err != nil {
		err = fmt.Errorf("the configuration file %s: %w", name, err)
	}
	return decodeLayer(LayerFile, root, err, useFile)
}

func decodeLayer(name string, root node, err error, use uses) Layer {
	d := decoder{}
	layer := Layer{Name: name}
	switch {
	case err != nil:
		d.problems = append(d.problems, Problem{Path: "options", Message: err.Error()})
	case root.kind == kindObject:
		d.options(&layer.Options, root, use)
	case root.kind != kindNull:
		d.bad("options", "write export const options = { ... }", "must be an object, not %s", root.kind)
	}
	layer.Warnings, layer.Problems = d.warnings, d.problems
	return layer
}

// decoder collects what is wrong while options are decoded.
type decoder struct {
	warnings []Problem
	problems Problems
}

// bad adds a problem about an option. The message begins with its name.
func (d *decoder) bad(path, hint, format string, args ...any) {
	d.problems = append(d.problems, problemAt(path, hint, format, args...))
}

// problemAt makes a problem whose message begins with the option's name; that
// of a scenario's option begins with the scenario's, as users know it.
func problemAt(path, hint, format string, args ...any) Problem {
	label := path
	if rest, ok := strings.CutPrefix(path, "scenarios."); ok {
		name, field, _ := strings.Cut(rest, ".")
		label = "executor " + name
		if field != "" {
			label += ": " + field
		}
	}
	return Problem{Path: path, Message: label + ": " + fmt.Sprintf(format, args...), Hint: hint}
}

func (d *decoder) warn(path, hint, format string, args ...any) {
	d.warnings = append(d.warnings, Problem{Path: path, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// options decodes the members of the options object.
func (d *decoder) options(o *Options, root node, use uses) {
	table := entries()
	for i, key := range root.keys {
		at := slices.IndexFunc(table, func(e entry) bool { return e.key == key })
		if at < 0 || table[at].uses&use == 0 {
			d.unknown(key, table, at, use)
			continue
		}
		if root.items[i].kind != kindNull {
			table[at].decode(o, d, key, root.items[i])
		}
	}
}

// unknown warns of a key that is no option here.
func (d *decoder) unknown(key string, table []entry, at int, use uses) {
	if at >= 0 {
		where := "the environment or the command line"
		if table[at].uses&useFile != 0 {
			where = "the configuration file, " + where
		}
		d.warn(key, "set it in "+where, "the option %q has no effect in the script's options", key)
		return
	}
	var names []string
	for _, e := range table {
		if e.uses&use != 0 {
			names = append(names, e.key)
		}
	}
	d.warn(key, didYouMean(key, names), "unknown option %q is ignored", key)
}

// integer takes a whole number, or one in a string.
func (d *decoder) integer(path string, n node) (int64, bool) {
	if n.kind != kindNumber && n.kind != kindString {
		d.bad(path, "", "must be a whole number, not %s", n.kind)
		return 0, false
	}
	v, err := parseInteger(n.text)
	if err != nil {
		d.bad(path, "", "%v", err)
		return 0, false
	}
	return v, true
}

var errRange = errors.New("out of range")

func parseInteger(text string) (int64, error) {
	v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	switch {
	case err == nil:
		return v, nil
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s is %w", text, errRange)
	default:
		return 0, fmt.Errorf("%s is not a whole number", quoteUnlessNumber(text))
	}
}

func quoteUnlessNumber(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return strconv.Quote(text)
}

// rateHint tells how to write a rate below one, or with a fraction.
func rateHint(text string) string {
	rate, ok := new(big.Rat).SetString(text)
	if !ok || len(text) > 10 || rate.Sign() <= 0 || rate.IsInt() || !rate.Num().IsInt64() {
		return ""
	}
	return fmt.Sprintf("write rate: %s, timeUnit: '%ss' for %s a second", rate.Num(), rate.Denom(), text)
}

func (d *decoder) boolean(path string, n node) (bool, bool) {
	if n.kind != kindBool {
		d.bad(path, "write true or false without quotes", "must be true or false, not %s", n.kind)
		return false, false
	}
	return n.text == "true", true
}

func (d *decoder) text(path string, n node) (string, bool) {
	if n.kind != kindString {
		d.bad(path, "", "must be a string, not %s", n.kind)
		return "", false
	}
	return n.text, true
}

func (d *decoder) duration(path string, n node) (Duration, bool) {
	if n.kind != kindNumber && n.kind != kindString {
		d.bad(path, "", "must be a duration, such as '30s', not %s", n.kind)
		return 0, false
	}
	v, err := ParseDuration(n.text)
	if err != nil {
		d.bad(path, "", "%v", err)
		return 0, false
	}
	return v, true
}

// list decodes each element of an array; false if any is wrong.
func list[T any](d *decoder, path string, n node, element func(path string, n node) (T, bool)) ([]T, bool) {
	if n.kind != kindArray {
		d.bad(path, "write [ ... ]", "must be a list, not %s", n.kind)
		return nil, false
	}
	all := true
	values := make([]T, 0, len(n.items))
	for i, item := range n.items {
		v, ok := element(path+"["+strconv.Itoa(i)+"]", item)
		all = all && ok
		values = append(values, v)
	}
	return values, all
}

func (d *decoder) texts(path string, n node) ([]string, bool) {
	return list(d, path, n, d.text)
}

// stringMap takes an object of strings; numbers and booleans become strings.
func (d *decoder) stringMap(path string, n node) (map[string]string, bool) {
	if n.kind != kindObject {
		d.bad(path, "write { name: 'value' }", "must be an object, not %s", n.kind)
		return nil, false
	}
	all := true
	values := make(map[string]string, len(n.items))
	for i, key := range n.keys {
		switch item := n.items[i]; item.kind {
		case kindString, kindNumber, kindBool:
			values[key] = item.text
		default:
			d.bad(path+"."+key, "", "must be a string, not %s", item.kind)
			all = false
		}
	}
	return values, all
}

// stage decodes one stage of a ramp; both members are needed.
func (d *decoder) stage(path string, n node) (Stage, bool) {
	if n.kind != kindObject {
		d.bad(path, "write { duration: '30s', target: 10 }", "must be an object, not %s", n.kind)
		return Stage{}, false
	}
	ok := d.knownFields(path, n, []string{"duration", "target"})
	for _, key := range []string{"duration", "target"} {
		if n.member(key).kind == kindNull {
			d.bad(path+"."+key, "", "each stage needs a duration and a target")
			return Stage{}, false
		}
	}
	duration, ok1 := d.duration(path+".duration", n.member("duration"))
	target, ok2 := d.integer(path+".target", n.member("target"))
	return Stage{Duration: duration, Target: target}, ok && ok1 && ok2
}

func (d *decoder) stages(path string, n node) ([]Stage, bool) {
	return list(d, path, n, d.stage)
}

// knownFields reports every member of an object that is none of fields.
func (d *decoder) knownFields(path string, n node, fields []string) bool {
	all := true
	for _, key := range n.keys {
		if !slices.Contains(fields, key) {
			p := problemAt(path, didYouMean(key, fields), "json: unknown field %q", key)
			p.Path += "." + key
			d.problems = append(d.problems, p)
			all = false
		}
	}
	return all
}
