//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package partfile

import "os"

// lock reports that this system has no lock: downloads are not resumed.
func lock(*os.File) bool { return false }

// names is asked for files that are locked only.
func names(*os.File) uint64 { return 1 }
