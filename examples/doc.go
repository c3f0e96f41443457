// Package examples holds scripts that show how jsload is used. Its tests run each
// of them with the real binary against the target; nothing imports it.
package examples
