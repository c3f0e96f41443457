package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: `Print a script that lets a shell complete jsload's commands and flags.

  bash:        source <(jsload completion bash)
  zsh:         jsload completion zsh > "${fpath[1]}/_jsload"
  fish:        jsload completion fish | source
  powershell:  jsload completion powershell | Out-String | Invoke-Expression

` + exitHelp(0),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(c *cobra.Command, args []string) error {
			root, w := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			}
			return root.GenPowerShellCompletionWithDesc(w)
		},
	}
}
