package partfile

import "syscall"

func lock(fd int) error { return syscall.Flock(fd, syscall.LOCK_EX) }
