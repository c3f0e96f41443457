package file

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestStdout(t *testing.T) {
	var b bytes.Buffer
	for _, name := range []string{"", "-"} {
		f, err := Create(name, &b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != "xx" {
		t.Errorf("got %q", b.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestErrorsNameTheFile(t *testing.T) {
	f, _ := Create("-", broken{})
	if _, err := f.Write([]byte("x")); err == nil || err.Error() != "write standard output: broken pipe" {
		t.Errorf("got %v", err)
	}
	path := filepath.Join(t.TempDir(), "no", "f.gz")
	if _, err := Create(path, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func TestTruncates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("long and old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new" {
		t.Errorf("got %q", got)
	}
}
