// Package killed kills a program that mirrors a matter, at any of its system
// calls. It is made of tests only.
package killed
