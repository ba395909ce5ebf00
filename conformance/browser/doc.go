// Package browser looks at the page of the sandbox with a real browser. It is
// made of tests only.
package browser
