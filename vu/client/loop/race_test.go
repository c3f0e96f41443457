//go:build race

package loop

// underRace is true when the race detector is on, which allocates.
const underRace = true
