//go:build linux || darwin

package mirror

import (
	"io/fs"
	"syscall"
)

// inodeOf returns the inode of a file, and the time of its last change of any
// kind in nanoseconds since 1970. Unknown values are 0.
func inodeOf(info fs.FileInfo) (inode uint64, changed int64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ino, changeTime(stat)
	}
	return 0, 0
}
