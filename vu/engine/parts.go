package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/metrics/threshold"
	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/options"
)

// partRule is a threshold on a part of the run, with when that part is open.
type partRule struct {
	part   *metrics.Part
	window time.Duration
	// turns are when the part opens or closes, offsets from the start of the
	// scenarios in order.
	turns []turn
}

type turn struct {
	at   time.Duration
	open bool
}

// ahead is how long before a scenario's start its first stage counts, so that the
// first sample cannot be earlier than the part's own turn.
const ahead = 2 * time.Millisecond

// findParts plans the parts that thresholds judge. The error names every one that
// asks for stages there are not.
func (t *test) findParts() ([]partRule, error) {
	var rules []partRule
	var mistakes []error
	for _, subject := range t.Thresholds.Subjects() {
		for _, r := range subject.Rules {
			if r.Part == nil {
				continue
			}
			turns, err := t.stageTurns(subject, r.ExcludeStages)
			if err != nil {
				mistakes = append(mistakes, fmt.Errorf("invalid threshold %q on %s: %w", r.Source, subject.Name, err))
			}
			rules = append(rules, partRule{r.Part, r.Window, turns})
		}
	}
	if err := errors.Join(mistakes...); err != nil {
		return nil, &vu.Abort{Code: vu.ExitConfig, Message: err.Error(), Err: err}
	}
	return rules, nil
}

// stageTurns returns when a part without some stages opens and closes.
func (t *test) stageTurns(subject threshold.Subject, excluded []int) ([]turn, error) {
	if len(excluded) == 0 {
		return nil, nil
	}
	s, err := t.staged(subject)
	if err != nil {
		return nil, err
	}
	stages := s.Stages.V
	for _, i := range excluded {
		if i < 0 || i >= len(stages) {
			return nil, fmt.Errorf("there is no stage %d: scenario %s has the stages 0 to %d", i, s.Name, len(stages)-1)
		}
	}
	var turns []turn
	at := s.StartTime.V.Std()
	for i, stage := range stages {
		turns = append(turns, turn{at, !slices.Contains(excluded, i)})
		at += stage.Duration.Std()
	}
	turns[0].at -= ahead // nothing of the scenario is recorded before it starts
	return turns, nil
}

// staged returns the scenario whose stages a threshold speaks of: the one that its
// tags name, or else the only one that has stages.
func (t *test) staged(subject threshold.Subject) (options.Scenario, error) {
	named := ""
	for _, tag := range subject.Tags {
		if tag.Key == "scenario" {
			named = tag.Value
		}
	}
	var found []options.Scenario
	var names []string
	for _, s := range t.scenarios {
		if len(s.Stages.V) > 0 && (named == "" || s.Name == named) {
			found, names = append(found, s.WithDefaults()), append(names, s.Name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case named != "":
		return options.Scenario{}, fmt.Errorf("excludeStages: there is no scenario %s with stages", named)
	case len(found) == 0:
		return options.Scenario{}, errors.New("excludeStages: no scenario has stages")
	}
	return options.Scenario{}, fmt.Errorf("excludeStages: the scenarios %s have stages; name one, as in %s{scenario:%s}",
		strings.Join(names, " and "), subject.Target.Metric, names[0])
}

// driveParts opens, closes and turns the parts while the scenarios run, which
// begin after it returns. stop ends
// that: what was last in a window stays there.
func (t *test) driveParts(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	for _, r := range t.parts {
		if len(r.turns) > 0 && r.turns[0].at <= 0 {
			r.part.SetOpen(r.turns[0].open)
		}
		if len(r.turns) > 0 {
			wg.Go(func() { t.followStages(ctx, r) })
		}
		if r.window > 0 {
			wg.Go(func() { turnWindow(ctx, r) })
		}
	}
	return func() {
		cancel()
		wg.Wait()
		for _, r := range t.parts {
			if r.window > 0 {
				r.part.SetOpen(false)
			}
		}
	}
}

func (t *test) followStages(ctx context.Context, r partRule) {
	open := true
	for _, turn := range r.turns {
		if t.timeline.Wait(ctx, turn.at) != nil {
			return
		}
		if turn.open != open {
			open = turn.open
			r.part.SetOpen(open)
		}
	}
}

func turnWindow(ctx context.Context, r partRule) {
	ticker := time.NewTicker(max(r.window/(threshold.WindowSlices-1), time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			r.part.Turn()
		case <-ctx.Done():
			return
		}
	}
}
