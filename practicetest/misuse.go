package practicetest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// placeOfTest returns the file and line of the test that called this package,
// for error messages: the line that package testing prints belongs to this
// package. It returns "" if no test called, as during a request or at the end
// of a test.
func placeOfTest() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	frame, more := frames.Next()
	path := frame.Function[:strings.LastIndexByte(frame.Function, '/')+1]
	for more && strings.HasPrefix(frame.Function, path+"practicetest.") {
		frame, more = frames.Next()
	}
	for _, other := range []string{"testing.", "net/http.", "runtime."} {
		if strings.HasPrefix(frame.Function, other) {
			return ""
		}
	}
	return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
}
