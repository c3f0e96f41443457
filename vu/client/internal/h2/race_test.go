//go:build race

package h2

// underRace is true where sync.Pool drops things on purpose, so that nothing
// can be said about allocations.
const underRace = true
