package mirror

import (
	"io/fs"
	"syscall"
)

// inodeOf returns the inode of a file, and when it last changed in any way, in
// nanoseconds since 1970. Both are 0 when the system does not say them.
func inodeOf(info fs.FileInfo) (inode uint64, changed int64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ino, stat.Ctim.Nano()
	}
	return 0, 0
}
