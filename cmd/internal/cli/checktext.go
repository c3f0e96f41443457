package cli

import (
	"fmt"
	"strings"

	"github.com/jsload/jsload/js"
)

// checkText renders reports for people: what is wrong first, what works last.
func checkText(result *checkResult) string {
	var b strings.Builder
	for _, r := range result.Scripts {
		reportText(&b, r)
	}
	if t := result.Total; t.Scripts > 1 {
		fmt.Fprintf(&b, "%d scripts: %d work, %d with differences, %d would not run\n", t.Scripts, t.Works, t.Differs, t.Unsupported)
	}
	return b.String()
}

// verdict says what a state means for a whole script.
func verdict(s js.State) string {
	switch s {
	case js.Works:
		return "runs as it is"
	case js.Differs:
		return "runs, with differences"
	}
	return "would not run as it is"
}

func reportText(b *strings.Builder, r *js.Report) {
	fmt.Fprintf(b, "%s: %s\n", r.File, verdict(r.State))
	for _, p := range r.Problems {
		fmt.Fprintf(b, "\n  %s\n", strings.ReplaceAll(p, "\n", "\n  "))
	}
	for _, state := range []js.State{js.Unsupported, js.Differs, js.Works} {
		itemsText(b, state, r.Items)
	}
	if len(r.Functions) > 0 {
		b.WriteString("\n  functions\n")
	}
	for _, f := range r.Functions {
		fmt.Fprintf(b, "    %s: %s tier\n", f.Name, f.Tier)
	}
	b.WriteByte('\n')
}

// itemsText lists the items of one state in columns.
func itemsText(b *strings.Builder, state js.State, all []js.Item) {
	var rows [][3]string
	width := [2]int{}
	for _, i := range all {
		if i.State != state {
			continue
		}
		row := [3]string{i.Kind + " " + i.Name, placeText(i), i.Reason}
		for c := range width {
			width[c] = max(width[c], len(row[c]))
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n  %s\n", state)
	for _, row := range rows {
		line := fmt.Sprintf("    %-*s  %-*s  %s", width[0], row[0], width[1], row[1], row[2])
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func placeText(i js.Item) string {
	if i.Uses > 1 {
		return fmt.Sprintf("%s (%d times)", i.Place, i.Uses)
	}
	return i.Place
}
