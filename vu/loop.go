package vu

// Looped may be implemented by a Unit that can run on an event loop, beside many
// others on one goroutine, instead of holding a goroutine of its own.
//
// Loop is asked after each Activate. It returns the loop that runs this unit's
// iterations of the active scenario, or nil if Iterate is to be called. A unit
// belongs to the same loop for life.
type Looped interface {
	Loop() Loop
}

// Loop runs iterations on behalf of an executor.
//
// An implementation keeps a small state for each unit that is on it:
//
//	Run posts the unit to the loop's goroutine; there, whenever the unit is free:
//	    it, at, more := steps.Next(now)
//	    !more     the unit leaves: steps.Left()
//	    at > now  a timer of the loop's for at, and then Next again; the end of the
//	              activation's context ends the wait
//	    else      the iteration; at its end steps.Ended(err), and Next again
//
// Nothing but Run crosses goroutines, so an iteration costs no message. The end of
// an activation reaches the unit as it does otherwise, by the context it was
// activated with. A panic of the unit is not to end the loop: it is the Ended of a
// *Fault.
type Loop interface {
	// Run puts an active unit on the loop and returns at once. The unit is the
	// loop's until Left. It may be called from any goroutine.
	Run(u Unit, s Steps)
}

// Steps is an executor's schedule for one unit. The loop calls it on its own goroutine;
// it does not block.
type Steps interface {
	// Next tells a unit that is free at an instant, in nanoseconds since the run's
	// epoch, what to do: start the iteration it, or, if at is later than now, to ask
	// again at that instant, or, if more is false, to leave.
	Next(now int64) (it Iteration, at int64, more bool)
	// Ended tells how the iteration ended, in the words of Unit.Iterate.
	Ended(err error)
	// Left gives the unit back. No other call follows.
	Left()
}
