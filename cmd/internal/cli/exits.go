package cli

import (
	"fmt"
	"strings"

	"github.com/jsload/jsload/vu"
)

// exitMeaning says in a command's help when it ends with a code.
func exitMeaning(code int) string {
	switch code {
	case 0:
		return "all went well; iterations that threw do not change that"
	case vu.ExitThresholds:
		return "thresholds were crossed"
	case vu.ExitSetupTimeout:
		return "setup() took longer than setupTimeout"
	case vu.ExitTeardownTimeout:
		return "teardown() took longer than teardownTimeout"
	case vu.ExitTimeout:
		return "another time-out"
	case vu.ExitStoppedByAPI:
		return "the test was stopped through the REST API"
	case vu.ExitAPIBind:
		return "the REST API cannot listen on the address of --address"
	case vu.ExitConfig:
		return "the configuration is invalid"
	case vu.ExitSignal:
		return "interrupted: once ends the test gracefully, twice at once"
	case vu.ExitScript:
		return "exception in init code, setup or teardown, or the script does not parse"
	case vu.ExitAborted:
		return "the script called exec.test.abort()"
	case vu.ExitPanic:
		return "a fault of jsload itself"
	case vu.ExitMarkedFailed:
		return "the script called exec.test.fail()"
	case vu.ExitLimited:
		return "the generator was the limit, with --fail-if-generator-limited"
	case vu.ExitOther:
		return "another error, such as an unknown flag, a missing file or an output that lost samples"
	}
	return ""
}

// exitHelp is the part of a command's help about its exit codes.
func exitHelp(codes ...int) string {
	var b strings.Builder
	b.WriteString("Exit codes:\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "  %3d  %s\n", c, exitMeaning(c))
	}
	fmt.Fprintf(&b, "  %3d  %s", vu.ExitOther, exitMeaning(vu.ExitOther))
	return b.String()
}
