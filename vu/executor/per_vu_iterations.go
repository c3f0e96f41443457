package executor

import (
	"context"
	"fmt"
	"time"

	"github.com/jsload/jsload/vu"
)

// perVUIterations runs the same number of iterations on each of its VUs.
type perVUIterations struct {
	crew
	vus, iterations int64
}

// newPerVUIterations takes the VUs over all machines; the number of iterations
// is that of each.
func newPerVUIterations(c Config, vus, iterations int64, limit time.Duration) *perVUIterations {
	p := &perVUIterations{vus: c.Share.Scale(vus), iterations: iterations}
	p.crew = newCrew(c, limit, func(m *member) (vu.Iteration, bool) {
		if m.done == iterations {
			return vu.Iteration{}, false
		}
		m.done++
		return p.number(), true
	})
	return p
}

func (p *perVUIterations) Run(ctx context.Context) {
	p.live(ctx, p.fraction, func() { p.set(p.vus) })
	p.drop(p.vus * p.iterations)
}

func (p *perVUIterations) fraction() float64 { return p.share(p.vus * p.iterations) }

func (p *perVUIterations) Progress() Progress {
	return p.progress(p.fraction(), fmt.Sprintf("%d VUs", p.vus),
		fmt.Sprintf("%d/%d iters, %d per VU", p.ended(), p.vus*p.iterations, p.iterations))
}
