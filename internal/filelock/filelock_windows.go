package filelock

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// errorLockViolation is the error code for a byte that is already locked.
const errorLockViolation syscall.Errno = 33

// Lock locks f until it is closed. It returns ErrHeld if f is already locked,
// and another error if the file system has no locks. It locks a byte beyond any
// content, because a lock on Windows also prevents others from reading.
func Lock(f *os.File) error {
	const failImmediately, exclusive = 1, 2
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	if err := call.Find(); err != nil {
		return err
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	at := syscall.Overlapped{Offset: 1<<32 - 1, OffsetHigh: 1<<31 - 1}
	var refused error
	err = conn.Control(func(fd uintptr) {
		if locked, _, cause := call.Call(fd, failImmediately|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(&at))); locked == 0 {
			refused = cause
		}
	})
	if errors.Is(refused, errorLockViolation) {
		return ErrHeld
	}
	return errors.Join(err, refused)
}

// Unlock does nothing: Close releases the lock.
func Unlock(*os.File) {}
