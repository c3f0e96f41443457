// Package examples holds scripts that show how jsload is used. The tests of
// cmd/internal/cli run each of them with the real binary against the target;
// nothing imports it.
package examples
