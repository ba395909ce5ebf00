package practicetest

import (
	"strconv"
	"strings"
)

// rangeKind says what a Range header means for an object.
type rangeKind int

const (
	rangeWhole  rangeKind = iota // none, several, or not understood: the whole object
	rangeGiven                   // one range that the object has
	rangeBeyond                  // one range that it has not
)

// parseRange reads a Range header for an object of the given size.
func parseRange(header string, size int64) (from, n int64, kind rangeKind) {
	spec, ok := strings.CutPrefix(header, "bytes=")
	first, last, dash := strings.Cut(strings.TrimSpace(spec), "-")
	if !ok || !dash {
		return 0, size, rangeWhole
	}
	if first == "" {
		return suffixRange(last, size)
	}
	from, err := position(first)
	if err != nil {
		return 0, size, rangeWhole
	}
	to := size - 1
	if last != "" {
		asked, err := position(last)
		if err != nil || asked < from {
			return 0, size, rangeWhole
		}
		to = min(asked, to)
	}
	if from >= size {
		return 0, 0, rangeBeyond
	}
	return from, to - from + 1, rangeGiven
}

func suffixRange(length string, size int64) (from, n int64, kind rangeKind) {
	n, err := position(length)
	switch {
	case err != nil:
		return 0, size, rangeWhole
	case n == 0 || size == 0:
		return 0, 0, rangeBeyond
	}
	n = min(n, size)
	return size - n, n, rangeGiven
}

// position reads an offset, digits only.
func position(s string) (int64, error) {
	if strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 10, 64)
}
