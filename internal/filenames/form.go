package filenames

import "golang.org/x/text/unicode/norm"

// Form returns name in Unicode normalization form C. Some file systems change
// the form of names, so names are compared in this one.
func Form(name string) string { return norm.NFC.String(name) }

// SameForm reports whether a and b are equal after normalization.
func SameForm(a, b string) bool { return a == b || Form(a) == Form(b) }
