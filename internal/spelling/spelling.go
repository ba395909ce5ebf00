// Package spelling finds the name that was meant by a misspelt one.
package spelling

import "strings"

// Nearest returns the most similar of the names, without case, or "" if none is
// similar. Of several that are equally similar, it returns the first.
func Nearest(name string, names []string) string {
	best, most := "", len(name)/3+1
	for _, known := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(known)); d <= most {
			best, most = known, d-1
		}
	}
	return best
}

// DidYouMean returns a suggestion for the end of an error, such as
// "; did you mean title?", or "" if no name is similar.
func DidYouMean(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// distance returns the Levenshtein distance of two strings in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = min(before, row[j], row[j+1]) + 1
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
