package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jsload/jsload/js"
	"github.com/jsload/jsload/vu/options"
)

// refuse returns an error if the options ask for what is not built: an option is
// never ignored in silence.
func refuse(o *options.Options) error {
	var all error
	for _, x := range []struct {
		asked     bool
		name, why string
	}{
		{len(o.Features.V) > 0, "features", "the feature flags " + strings.Join(o.Features.V, ", ")},
	} {
		if x.asked {
			all = errors.Join(all, fmt.Errorf("the option %s cannot be used: %s is not built into this version of jsload yet", x.name, x.why))
		}
	}
	return configError(all)
}

// refusedOptions names the flags that refuse is about; the help does not show
// them.
func refusedOptions() []string { return []string{"features"} }

// mentionOptions writes one debug line about options that cannot have an effect
// here.
func (a *app) mentionOptions(o *options.Options) {
	var names []string
	for name, set := range map[string]bool{"cloud": o.Cloud != nil, "ext": o.Ext != nil, "metricSamplesBufferSize": o.MetricSamplesBufferSize.Set} {
		if set {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		a.logger().Debug("options without effect in jsload: " + strings.Join(names, ", "))
	}
}

// warn logs what merging the options found; t may be nil.
func (a *app) warn(t *js.Test) {
	if t == nil || t.Config == nil {
		return
	}
	for _, w := range t.Config.Warnings {
		text := w.Message
		if w.Hint != "" {
			text += " (" + w.Hint + ")"
		}
		a.logger().Warn(text)
	}
}

// environmentLayer reads the options that the environment sets.
func (a *app) environmentLayer() options.Layer { return options.Env(a.process.Vars) }

// collectorSettings reads the members of an output's part of the configuration
// file as texts, by plain name.
func collectorSettings(part json.RawMessage) map[string]string {
	var members map[string]any
	if len(part) == 0 || json.Unmarshal(part, &members) != nil {
		return nil
	}
	settings := make(map[string]string, len(members))
	for name, value := range members {
		settings[plainName(name)] = fmt.Sprint(value)
	}
	return settings
}

// plainName makes saveInterval and SAVE_INTERVAL the same.
func plainName(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
