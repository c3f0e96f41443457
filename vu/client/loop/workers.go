package loop

import "sync"

// job is work that would hold up a loop.
type job struct {
	do     func() // of Task.Go; nil for a flight
	task   *Task
	flight *flight
}

// workers are goroutines that do jobs. One that has nothing to do waits for the
// next job; there are as many as were ever busy at once.
type workers struct {
	run func(job)
	wg  sync.WaitGroup

	mu     sync.Mutex
	idle   []chan job
	closed bool
}

// start gives a job to a worker.
func (w *workers) start(j job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		inbox := w.idle[last]
		w.idle = w.idle[:last]
		inbox <- j // never waits: it holds one
		return
	}
	inbox := make(chan job, 1)
	inbox <- j
	w.wg.Go(func() { w.work(inbox) })
}

func (w *workers) work(inbox chan job) {
	for j := range inbox {
		w.run(j)
		if !w.rest(inbox) {
			return
		}
	}
}

// rest makes a worker wait; it reports false if there will be no more jobs.
func (w *workers) rest(inbox chan job) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, inbox)
	return !w.closed
}

// close waits until all jobs are done and ends the workers. No start may follow.
func (w *workers) close() {
	w.mu.Lock()
	w.closed = true
	for _, inbox := range w.idle {
		close(inbox)
	}
	w.idle = nil
	w.mu.Unlock()
	w.wg.Wait()
}
