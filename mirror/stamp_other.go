//go:build !(linux || darwin)

package mirror

import "io/fs"

// inodeOf returns zeros, because the system has no portable inodes.
func inodeOf(fs.FileInfo) (inode uint64, changed int64) { return 0, 0 }
