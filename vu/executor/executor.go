// Package executor decides when iterations start and on how many units: one
// file for each executor name.
//
// Each executor is a schedule, a pure function from the scenario's options to
// instants and counts, and a small runner that follows it. Instants are offsets
// from the scenario's start, computed from the iteration's number alone, so that
// nothing drifts.
//
// vu/engine calls it, once per scenario; it calls vu.Unit. It knows nothing of
// scripts, metrics or the process.
package executor
