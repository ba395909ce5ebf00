// Package browser tests the sandbox's web page in a real browser. It contains
// only tests.
package browser
