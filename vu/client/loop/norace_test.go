//go:build !race

package loop

const underRace = false
