//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package partfile

import (
	"os"
	"syscall"
)

// names returns the number of hard links of an open file.
func names(f *os.File) uint64 {
	info, err := f.Stat()
	if err != nil {
		return 1
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink) //nolint:unconvert // it has another type elsewhere
	}
	return 1
}
