// Package killed kills a mirroring program at any of its system calls. It
// contains only tests.
package killed
