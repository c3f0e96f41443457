// Package arch holds the rules that the source tree keeps, as tests: which package
// may import which, where a third-party engine may be used, and what no source
// file may contain.
//
// Nothing imports it; go test runs it like any other package. The reasons for the
// rules are in docs/architecture.md and docs/development.md.
package arch
