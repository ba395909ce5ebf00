package storage

import (
	"errors"
	"os"
	"syscall"
)

const canSendFiles = true

// sendFile sends up to n bytes of a file with sendfile(2). done is false if the
// socket cannot be written to yet. The caller copies what was not sent.
func sendFile(to uintptr, file *os.File, at, n int64) (sent int, done bool) {
	from, err := file.SyscallConn()
	if err != nil {
		return 0, true
	}
	const most = 1 << 30 // limit for one system call
	failed := from.Control(func(fd uintptr) {
		for {
			sent, err = syscall.Sendfile(int(to), int(fd), &at, int(min(n, most)))
			if !errors.Is(err, syscall.EINTR) {
				return
			}
		}
	})
	if failed != nil || err != nil {
		return 0, failed != nil || !errors.Is(err, syscall.EAGAIN)
	}
	return sent, true
}
