package names

import "strings"

// Element makes a name of the service one element of a path of package fs, and
// no longer than file systems hold. It changes as little as it can: most names
// stay as they are.
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
