package filenames

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxElementBytes is the maximum length of a name in common file systems, in
// bytes. Names of the service have up to 256 characters of several bytes each.
const maxElementBytes = 255

// Entry is a file or folder in a folder of the service.
type Entry struct {
	Name   string
	ID     string
	Folder bool
}

// DistinctLocal returns a different local file name for each entry of a folder.
// As on many file systems, names that differ only in case or in Unicode
// normalization count as equal.
func DistinctLocal(entries []Entry) []string { return distinct(entries, Local, OnDisk, nil) }

// DistinctLocalBeside is like DistinctLocal, but returns no name that is in
// taken.
func DistinctLocalBeside(entries []Entry, taken []string) []string {
	return distinct(entries, Local, OnDisk, taken)
}

// DistinctElements returns a different path element for each entry of a folder.
func DistinctElements(entries []Entry) []string {
	return distinct(entries, Element, func(name string) string { return name }, nil)
}

// distinct returns a different name for each entry. If several entries have
// legal names with the same key, part of the id is added to each of them, so
// that a name does not change with other entries as long as two of them remain.
// No name has the key of a taken one.
func distinct(entries []Entry, legal, key func(string) string, taken []string) []string {
	const another = -1
	names := make([]string, len(entries))
	level := make([]int, len(entries))
	for i, entry := range entries {
		names[i] = legal(entry.Name)
	}
	for {
		holders := make(map[string][]int, len(names))
		for _, name := range taken {
			holders[key(name)] = []int{another}
		}
		for i, name := range names {
			holders[key(name)] = append(holders[key(name)], i)
		}
		again := false
		for _, same := range holders {
			if len(same) == 1 {
				continue
			}
			for _, i := range same {
				if i == another {
					continue
				}
				again = true
				level[i]++
				names[i] = marked(legal(entries[i].Name), entries[i], level[i], i)
			}
		}
		if !again {
			return names
		}
	}
}

// marked adds a mark to name, before the extension of a file. With each level a
// collision is less likely: the beginning of the id, the id, the index, and the
// index at the very end, which is unique.
func marked(name string, entry Entry, level, place int) string {
	const short, longest = 8, 64
	id := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(entry.ID))
	mark := " (+" + strconv.Itoa(place) + ")" // ids contain no plus sign
	switch {
	case level == 1 && id != "":
		mark = " (" + id[:min(short, len(id))] + ")"
	case level == 2 && id != "":
		mark = " (" + id[:min(longest, len(id))] + ")"
	case level > 4: // a taken name may have the same form
		return shortened(name, " (+"+strconv.Itoa(place)+"+"+strconv.Itoa(level)+")")
	case level > 3:
		return shortened(name, mark)
	}
	if entry.Folder {
		return shortened(name, mark)
	}
	return Marked(name, mark)
}

// Marked inserts mark before the extension of name, and truncates the name to
// the maximum length in file systems.
func Marked(name, mark string) string {
	stem, extension := splitExtension(name)
	return shortened(stem, mark+extension)
}

// splitExtension splits off the extension, unless it is the whole name or too
// long for an extension.
func splitExtension(name string) (stem, extension string) {
	const longest = 32
	extension = path.Ext(name)
	if extension == name || len(extension) > longest {
		return name, ""
	}
	return name[:len(name)-len(extension)], extension
}

// shortened returns stem + rest, with stem truncated at a character boundary to
// fit.
func shortened(stem, rest string) string {
	room := maxElementBytes - len(rest)
	if len(stem) > room {
		for room > 0 && !utf8.RuneStart(stem[room]) {
			room--
		}
		stem = stem[:room]
	}
	return stem + rest
}

// OnDisk returns the same key for names that some file systems treat as equal.
func OnDisk(name string) string { return expanded.Replace(foldCase(Form(name))) }

// expanded replaces the letters that such systems take for two or three, after
// foldCase.
var expanded = strings.NewReplacer("\u00df", "SS", "\ufb00", "FF", "\ufb01", "FI", "\ufb02", "FL", "\ufb03", "FFI", "\ufb04", "FFL", "\ufb05", "ST", "\ufb06", "ST", "\u0149", "\u02bcN")

// foldCase returns the same key for names that differ only in case.
func foldCase(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}
