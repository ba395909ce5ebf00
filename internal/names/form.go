package names

import "golang.org/x/text/unicode/norm"

// Form is the form of a name or a path in which two of them can be compared that only
// differ in how a character is put together: of a letter and a mark, or as one. Some
// disks change one into the other.
func Form(name string) string { return norm.NFC.String(name) }

// SameForm reports names that Form makes the same.
func SameForm(a, b string) bool { return a == b || Form(a) == Form(b) }
