// Package browser tests the page of the sandbox in a real browser. It contains
// only tests.
package browser
