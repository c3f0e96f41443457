package engine

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jsload/jsload/metrics"
	"github.com/jsload/jsload/vu/client/proto"
	"github.com/jsload/jsload/vu/options"
	"github.com/jsload/jsload/vu/record"
)

// A server that stands still for a second in the middle of constant arrivals: the
// response times of what was started are those that the schedule gives, the service
// times have the one slow band, and what was dropped is counted.
func TestStallOfTheServer(t *testing.T) {
	for _, vus := range []int64{40, 500, 3000} { // hardly enough, too few, enough
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, options.Scenario{Name: "s", Executor: options.ConstantArrivalRate, Rate: num(2000), Duration: dur(4 * time.Second), PreAllocatedVUs: num(vus)})
			begin := time.Now()
			thaw := begin.Add(3*time.Second + ms/5) // never at the same instant as an arrival
			b.iterate = func(u *unit) error {
				sent := u.config.Recorder.Now()
				u.record.StartIteration(0, max(sent-u.now.Planned, 0))
				answer := time.Now().Add(10*ms + ms/10)
				if since := answer.Sub(begin); since > 2*time.Second && answer.Before(thaw) {
					answer = thaw
				}
				err := u.sleep(time.Until(answer))
				x := &proto.Exchange{Method: "GET", URL: "http://t", Status: 200}
				x.Timings = proto.Timings{Start: sent, End: u.config.Recorder.Now(), Waiting: u.config.Recorder.Now() - sent}
				u.record.HTTP(nil, x, &record.Request{Expected: record.Expected})
				return err
			}
			r := b.run(0)
			truth, started := stallTruth(int(vus))
			if g := r.Generator; g.Dropped != int64(8001-started) {
				t.Errorf("%d VUs: %d dropped of 8001, want %d", vus, g.Dropped, 8001-started)
			}
			response := b.series(r, b.builtin().HTTPReqResponseTime)
			if response.Samples != int64(started) {
				t.Fatalf("%d VUs: %d response times, want %d", vus, response.Samples, started)
			}
			for _, q := range []float64{0.5, 0.9, 0.99, 0.999, 1} {
				want := quantileOf(truth, q)
				for name, m := range map[string]*metrics.Metric{"response": b.builtin().HTTPReqResponseTime, "service": b.builtin().HTTPReqDuration} {
					s := b.series(r, m) // the same: no start was late
					if got := s.Dist.Quantile(q); math.Abs(got-want) > want*0.002+0.01 {
						t.Errorf("%d VUs: %s time p%v is %v, want %v", vus, name, q*100, got, want)
					}
				}
			}
		})
	}
}

// stallTruth is what the schedule gives, sorted, in milliseconds: every VU that is
// taken while the server stands still answers when it thaws.
func stallTruth(vus int) (times []float64, started int) {
	var ends []float64 // of those under way
	for i := range 8001 {
		at := float64(i) / 2 // ms
		ends = slices.DeleteFunc(ends, func(end float64) bool { return end <= at })
		if len(ends) == vus {
			continue
		}
		end := at + 10.1
		if end > 2000 && end < 3000.2 {
			end = 3000.2
		}
		ends = append(ends, end)
		times = append(times, end-at)
	}
	slices.Sort(times)
	return times, len(times)
}

func quantileOf(sorted []float64, q float64) float64 {
	place := q * float64(len(sorted)-1)
	low := int(place)
	return sorted[low] + (sorted[min(low+1, len(sorted)-1)]-sorted[low])*(place-float64(low))
}
