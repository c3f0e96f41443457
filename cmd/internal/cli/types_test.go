package cli

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// typescriptVersion is the compiler that the declarations are checked with.
const typescriptVersion = "5.9.3"

// compiler installs TypeScript for a test and returns the path of tsc.
func compiler(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("installs a compiler")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("npm is not installed here, so there is no TypeScript compiler")
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, npm, "install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "typescript@"+typescriptVersion)
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("TypeScript cannot be installed without a package registry: %v\n%s", err, out)
	}
	return filepath.Join(dir, "node_modules", ".bin", "tsc")
}

// TestTypes compiles every template, and a script that uses what it can, with the
// declarations as jsload new writes them.
func TestTypes(t *testing.T) {
	t.Parallel()
	tsc := compiler(t)
	dir := t.TempDir()
	for i, name := range templateNames() {
		file := name + ".js"
		if name == "typescript" {
			file = name + ".ts"
		}
		args := []string{"new", "--template", name, file}
		if i == 0 {
			args = append(args, "--types")
		}
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/types")); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{
		{"--strict", "--skipLibCheck", "false"},
		{"--checkJs", "--noImplicitAny", "false"}, // JavaScript does not say what parameters are
	} {
		cmd := exec.CommandContext(t.Context(), tsc, append([]string{"--noEmit", "-p", "."}, flags...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", flags, err, out)
		}
	}
}
