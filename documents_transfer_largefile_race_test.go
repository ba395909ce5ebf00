//go:build race

package practice_test

// largeFile is smaller where every access to memory is watched: the watching
// makes content slow to make up, and keeps buffers from being used again.
const largeFile = 32 << 20
