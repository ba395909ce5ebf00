//go:build !(linux || darwin)

package mirror

import "io/fs"

// inodeOf returns nothing: the system does not say it in a portable way.
func inodeOf(fs.FileInfo) (inode uint64, changed int64) { return 0, 0 }
