package memnet

import "errors"

var (
	errInUse   = errors.New("address already in use")
	errRefused = errors.New("connection refused")
	errPipe    = errors.New("broken pipe")
	errReset   = errors.New("connection reset by peer")
)
