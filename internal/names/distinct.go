package names

import (
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxElementBytes is what the usual file systems hold. Names of the service have up
// to 256 characters of several bytes each.
const maxElementBytes = 255

// Entry is a folder or file of one folder.
type Entry struct {
	Name   string
	ID     string
	Folder bool
}

// DistinctLocal gives each entry of a folder the name of a local file of its own, as Local makes it. Names are equal
// when only upper and lower case differ, or only their form, as on many disks.
func DistinctLocal(entries []Entry) []string { return distinct(entries, Local, onDisk, nil) }

// DistinctLocalBeside is DistinctLocal for entries that come to others, which keep the
// names that they have.
func DistinctLocalBeside(entries []Entry, taken []string) []string {
	return distinct(entries, Local, onDisk, taken)
}

// DistinctElements gives each entry of a folder an element of a path of its own, as Element makes it.
func DistinctElements(entries []Entry) []string {
	return distinct(entries, Element, func(name string) string { return name }, nil)
}

// distinct gives each entry of a folder a name of its own. The service allows equal names; those that legal maps to the
// same text, as key sees it, are told apart by a piece of their id: all of them, so that none is taken for the only one,
// and so that a name does not depend on what else comes or goes as long as two of them are there.
// Names that are taken stay with those who have them.
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

// marked adds what tells an entry from others of its name, before the extension
// of a file: the first part of its id, else its id, else its place. The last
// resort is its place at the very end, which no two entries can have in common.
func marked(name string, entry Entry, level, place int) string {
	const short, longest = 8, 64
	id := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(entry.ID))
	mark := " (+" + strconv.Itoa(place) + ")" // no id has a plus
	switch {
	case level == 1 && id != "":
		mark = " (" + id[:min(short, len(id))] + ")"
	case level == 2 && id != "":
		mark = " (" + id[:min(longest, len(id))] + ")"
	case level > 4: // a name that was taken before looks so too
		return shortened(name, " (+"+strconv.Itoa(place)+"+"+strconv.Itoa(level)+")")
	case level > 3:
		return shortened(name, mark)
	}
	if entry.Folder {
		return shortened(name, mark)
	}
	return Marked(name, mark)
}

// Marked puts a mark behind a name, before its extension. The name is no longer than file
// systems hold.
func Marked(name, mark string) string {
	stem, extension := splitExtension(name)
	return shortened(stem, mark+extension)
}

// splitExtension takes the extension off, unless it is all there is or too long
// to be one.
func splitExtension(name string) (stem, extension string) {
	const longest = 32
	extension = path.Ext(name)
	if extension == name || len(extension) > longest {
		return name, ""
	}
	return name[:len(name)-len(extension)], extension
}

// shortened cuts the stem so that it fits before the rest, between two
// characters.
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

// onDisk is the key of names that some disks take for the same.
func onDisk(name string) string { return foldCase(Form(name)) }

// foldCase is the key of names where upper and lower case are the same, as on
// many disks.
func foldCase(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}
