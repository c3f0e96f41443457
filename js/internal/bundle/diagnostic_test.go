package bundle

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestDiagnostics compares what a wrong script is answered with golden texts.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, files string }{
		{"syntax", `
-- script.js --
export default function () { const = 1; }
`},
		{"syntax-imported", `
-- script.js --
import "./a.js";
export default function () {}
-- a.js --
import "./b.js";
-- b.js --
let x = 1;
	if (x {
}
`},
		{"typescript-in-javascript", `
-- script.js --
const x: number = 1;
export default function () {}
`},
		{"html", `
-- script.js --
<!DOCTYPE html>
<html></html>
`},
		{"missing-export", `
-- script.js --
import { yes } from './lib.js'; import { nope } from './lib.js';
export default function () { console.log(typeof nope); }
-- lib.js --
export const yes = 1;
`},
		{"missing-file", `
-- script.js --
import x from './nowhere.js';
export default function () {}
`},
		{"bare", `
-- script.js --
import _ from 'lodash';
import y from '@scope/pkg/sub';
export default function () {}
`},
		{"bare-chain", `
-- script.js --
import './a';
export default function () {}
-- a.ts --
import './sub';
-- sub/index.js --
require("left-pad");
`},
		{"node", `
-- script.js --
import fs from 'fs';
import { createHash } from "node:crypto";
export default function () {}
`},
		{"host-unknown", `
-- script.js --
import x from 'k6/nonsense';
import y from 'k6/htpp';
import z from 'k6/x/sql';
export default function () {}
`},
		{"schemes", `
-- script.js --
import a from 'http://example.test/x.js';
import b from 'ftp://example.test/x.js';
import c from '//example.test/x.js';
export default function () {}
`},
		{"no-javascript", `
-- script.js --
import csv from './data.csv';
export default function () {}
-- data.csv --
a,b
`},
		{"bad-json", `
-- script.js --
import d from './data.json';
export default function () { return d; }
-- data.json --
{"a": }
`},
		{"assign-to-import", `
-- script.js --
import { check } from 'k6';
check = 1;
export default function () {}
`},
		{"nesting", "-- script.js --\nimport './deep.js'\n-- deep.js --\nlet ok = 1;\nlet x = " + strings.Repeat("[", 6000) + "\n"},
		{"long-line", "-- script.js --\nlet a = '" + strings.Repeat("ä", 400) + "'; let x y; let b = '" + strings.Repeat("x", 400) + "';\n"},
		{"two-errors", `
-- script.js --
import a from './nowhere.js';
import b from './nowhere-else.js';
export default function () {}
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, main := project(t, tt.files)
			_, err := Build(t.Context(), config(t, dir, main))
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("no diagnostics but %v", err)
			}
			if e.ExitCode() != 107 {
				t.Errorf("exit code %d", e.ExitCode())
			}
			got := strings.ReplaceAll("== Error\n"+e.Error()+"\n== String\n"+e.String(), dir, "DIR")
			golden(t, filepath.Join("testdata", "diagnostics", tt.name+".txt"), got)
		})
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
