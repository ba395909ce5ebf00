package partfile

import (
	"os"
	"syscall"
)

// names returns the number of hard links of an open file.
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
