package executor

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jsload/jsload/vu"
	"github.com/jsload/jsload/vu/segment"
)

// sharedIterations runs a number of iterations on VUs that each take the next
// one when they are free.
type sharedIterations struct {
	crew
	vus, iterations int64 // of this machine
	numbers         segment.Striper
	taken           atomic.Int64
}

// newSharedIterations takes counts over all machines. Iterations follow the
// VUs: a machine with a third of these gets a third of them.
func newSharedIterations(c Config, vus, iterations int64, limit time.Duration) *sharedIterations {
	s := &sharedIterations{numbers: c.Share.Split(vus), vus: c.Share.Scale(vus)}
	s.iterations = scale(s.numbers, iterations)
	s.crew = newCrew(c, limit, func(*member) (vu.Iteration, bool) {
		i := s.taken.Add(1) - 1
		if i >= s.iterations {
			return vu.Iteration{}, false
		}
		return vu.Iteration{InInstance: uint64(i), InTest: uint64(s.numbers.At(i))}, true
	})
	return s
}

func (s *sharedIterations) Run(ctx context.Context) {
	s.live(ctx, s.fraction, func() {
		if s.iterations > 0 {
			s.set(s.vus)
		}
	})
	s.drop(s.iterations)
}

func (s *sharedIterations) fraction() float64 { return s.share(s.iterations) }

func (s *sharedIterations) Progress() Progress {
	return s.progress(s.fraction(), fmt.Sprintf("%d VUs", s.vus),
		fmt.Sprintf("%d/%d shared iters", s.ended(), s.iterations))
}
