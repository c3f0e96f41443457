package cli

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

//go:embed templates
var templates embed.FS

// newFlags are the flags of the new command.
type newFlags struct {
	force     bool
	template  string
	projectID string
	types     bool
}

func (a *app) newCommand() *cobra.Command {
	var n newFlags
	c := &cobra.Command{
		Use:   "new [file]",
		Short: "Write a script from a template",
		Long: `Write a new script that runs as it is. Without a file it is called script.js,
or script.ts for TypeScript.

  minimal      one request, a check, thresholds
  typescript   types, a custom metric, JSON
  api          setup, groups, expected failures
  scenarios    two kinds of users at once
  data         each row of a data set used exactly once
  summary      a report of your own

With --types the TypeScript declarations of all modules and globals are written to
the folder jsload-types, for editors and tsc, with a tsconfig.json unless there is
one. Without a file nothing else is written then.

Any other template is the path of a Go text template, which may use .ScriptName
and .ProjectID.

Try a script without a server of your own: jsload run --with-target script.js

` + exitHelp(0),
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if n.types {
				if err := a.newTypes(); err != nil || len(args) == 0 {
					return err
				}
			}
			return a.newScript(n, args)
		},
	}
	f := c.Flags()
	f.BoolVarP(&n.force, "force", "f", false, "overwrite an existing file")
	f.StringVar(&n.template, "template", "minimal", "the template's `name` or path")
	f.BoolVar(&n.types, "types", false, "write TypeScript declarations of the script API")
	f.StringVar(&n.projectID, "project-id", "", "`text` for a template's .ProjectID")
	return c
}

func (a *app) newScript(n newFlags, args []string) error {
	text, extension, err := a.readTemplate(n.template)
	if err != nil {
		return err
	}
	file := "script" + extension
	if len(args) > 0 {
		file = args[0]
	}
	t, err := template.New(n.template).Parse(text)
	if err != nil {
		return fmt.Errorf("reading the template: %w", err)
	}
	var b strings.Builder
	if err := t.Execute(&b, struct{ ScriptName, ProjectID string }{file, n.projectID}); err != nil {
		return fmt.Errorf("filling in the template: %w", err)
	}
	if err := a.create(file, b.String(), n.force); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.process.Stdout, "New script created: %s (%s template).\n", file, n.template)
	return err
}

// readTemplate returns a template's text and the extension of its script.
func (a *app) readTemplate(name string) (text, extension string, err error) {
	switch name {
	case "protocol":
		name = "api"
	case "browser":
		return "", "", errors.New("there is no template 'browser': the browser module is not built into this version of jsload yet")
	}
	own, err := fs.Glob(templates, "templates/"+name+".*")
	if err != nil || strings.ContainsAny(name, `/\`) {
		own = nil
	}
	if len(own) > 0 {
		b, err := templates.ReadFile(own[0])
		return string(b), path.Ext(own[0]), err
	}
	b, err := os.ReadFile(a.process.Path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", fmt.Errorf("there is no template %q, neither built in (%s) nor as a file", name, strings.Join(templateNames(), ", "))
	}
	if path.Ext(name) == ".ts" {
		return string(b), ".ts", err
	}
	return string(b), ".js", err
}

func templateNames() []string {
	entries, err := templates.ReadDir("templates")
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), path.Ext(e.Name()))
	}
	return names
}

// create writes a new file, or an existing one if force is set.
func (a *app) create(file, text string, force bool) error {
	mode := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !force {
		mode |= os.O_EXCL
	}
	f, err := os.OpenFile(a.process.Path(file), mode, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already; use --force to overwrite it", file)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
