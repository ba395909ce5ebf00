package filenames

import "strings"

// Element returns name as an element of an io/fs path, with at most
// maxElementBytes bytes. Valid elements are returned unchanged.
func Element(name string) string {
	name = strings.Map(func(r rune) rune {
		switch r {
		case '/', '\\', 0:
			return '_'
		}
		return r
	}, strings.ToValidUTF8(name, "\uFFFD"))
	switch name {
	case "", ".":
		return "_"
	case "..":
		return "__"
	}
	if len(name) > maxElementBytes {
		return shortened(splitExtension(name))
	}
	return name
}
