package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// devVersion is the version of every build that is not of a release tag.
const devVersion = "0.0.0-dev"

// reRelease matches release tags, and no pseudo-version of a commit between them.
var reRelease = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)[.\d]*)?$`)

// version returns the version without a v in front.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || !reRelease.MatchString(info.Main.Version) {
		return devVersion
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// UserAgent is what requests carry unless the script says otherwise.
func userAgent() string { return "jsload/" + version() }

// commit returns the revision that the binary was built from, or unknown.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(10, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	return revision + dirty
}

func versionText() string {
	return fmt.Sprintf("jsload v%s (commit/%s, %s, %s/%s)", version(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long:  "Print the version, the commit it was built from, and the platform.\n\n" + exitHelp(0),
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !asJSON {
				_, err := fmt.Fprintln(c.OutOrStdout(), versionText())
				return err
			}
			enc := json.NewEncoder(c.OutOrStdout())
			return enc.Encode(map[string]string{
				"commit": commit(), "go_arch": runtime.GOARCH, "go_os": runtime.GOOS, "go_version": runtime.Version(), "version": "v" + version(),
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return c
}
