package storage

import (
	"os"
	"syscall"
)

func again(err error) bool { return err == syscall.EINTR && os.Getenv("X") == "" } // want `os.Getenv: the library leaves`
