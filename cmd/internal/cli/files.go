package cli

import (
	"errors"
	"fmt"
	"os"
)

// writeResults writes texts to where their names say: stdout, stderr, or a file
// relative to the process's folder. Folders are not made. What cannot be
// written does not keep the rest from being written.
func (a *app) writeResults(names []string, texts map[string][]byte) error {
	var all error
	for _, name := range names {
		if err := a.writeResult(name, texts[name]); err != nil {
			all = errors.Join(all, fmt.Errorf("writing the summary to %s: %w", name, err))
		}
	}
	return all
}

func (a *app) writeResult(name string, text []byte) error {
	text = a.redacted(text)
	switch name {
	case "stdout":
		_, err := a.process.Stdout.Write(text)
		return err
	case "stderr":
		_, err := a.process.Stderr.Write(text)
		return err
	}
	return os.WriteFile(a.process.Path(name), text, 0o666)
}

// redacted returns a text without the secrets in it.
func (a *app) redacted(text []byte) []byte {
	if a.redactor == nil {
		return text
	}
	return []byte(a.redactor.Redact(string(text)))
}
