//go:build !race

package practice_test

// largeFile is a size that memory must not grow with.
const largeFile = 256 << 20
