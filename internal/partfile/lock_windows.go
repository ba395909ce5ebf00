package partfile

import (
	"os"
	"syscall"
	"unsafe"
)

// lock takes the file for this process until it is closed, and reports whether
// it could. The locked byte lies where no content is: on this system a lock
// also keeps others from reading.
func lock(f *os.File) bool {
	const failImmediately, exclusive = 1, 2
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	conn, err := f.SyscallConn()
	if err != nil || call.Find() != nil {
		return false
	}
	at := syscall.Overlapped{Offset: 1<<32 - 1, OffsetHigh: 1<<31 - 1}
	locked := uintptr(0)
	err = conn.Control(func(fd uintptr) {
		locked, _, _ = call.Call(fd, failImmediately|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	})
	return err == nil && locked != 0
}

// names is how many names an open file has.
func names(f *os.File) uint64 {
	var info syscall.ByHandleFileInformation
	conn, err := f.SyscallConn()
	if err != nil {
		return 1
	}
	controlled := conn.Control(func(fd uintptr) {
		err = syscall.GetFileInformationByHandle(syscall.Handle(fd), &info)
	})
	if err != nil || controlled != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}
