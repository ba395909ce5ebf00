package mirror

import (
	"fmt"
	"os"
	"path"
	"slices"
)

// change is a change by a user on one side.
type change struct {
	name string
	do   func(h *history) bool // returns false if the change is not possible
}

func write(h *history, name string, keepTime bool) bool {
	info, err := os.Lstat(h.at(name))
	if err == nil && !info.Mode().IsRegular() {
		return false
	}
	before, _ := h.local(name)
	delete(h.alive, before)
	if err := os.WriteFile(h.at(name), []byte(h.text()), 0o600); err != nil {
		delete(h.alive, fmt.Sprintf("%06d", h.written))
		return false
	}
	h.saved(name)
	if keepTime && err == nil {
		_ = os.Chtimes(h.at(name), info.ModTime(), info.ModTime())
	}
	return true
}

func rename(h *history, from, to string) bool {
	over, _ := h.local(to)
	text, _ := h.local(from)
	if os.Rename(h.at(from), h.at(to)) != nil {
		return false
	}
	h.moved[from] = text
	h.saved(to)
	if from != to {
		h.deleted(over)
	}
	return true
}

func swap(h *history, a, b string) bool {
	one, _ := h.local(a)
	other, _ := h.local(b)
	if os.Rename(h.at(a), h.at("swap")) != nil {
		return false
	}
	if os.Rename(h.at(b), h.at(a)) != nil || os.Rename(h.at("swap"), h.at(b)) != nil {
		_ = os.Rename(h.at("swap"), h.at(a))
		return false
	}
	h.moved[a], h.moved[b] = one, other
	h.saved(a)
	h.saved(b)
	return true
}

// restore writes the initial content of a again, like a restored backup.
func restore(h *history) bool {
	if text, ok := h.local("a"); ok && text == h.first {
		return false
	}
	if !write(h, "a", true) {
		return false
	}
	delete(h.alive, fmt.Sprintf("%06d", h.written))
	h.restored = true
	h.alive[h.first] = true
	for _, r := range h.service.records { // another user who saw it has deleted it: it counts as the common file
		if r.deleted && slices.Contains(r.versions, h.first) {
			delete(h.alive, h.first)
		}
	}
	return os.WriteFile(h.at("a"), []byte(h.first), 0o600) == nil
}

func removeHere(h *history, name string) bool {
	if _, err := os.Lstat(h.at(name)); err != nil {
		return false
	}
	h.gone(name)
	return os.RemoveAll(h.at(name)) == nil
}

// deleted records that a user deleted a content locally. With its document is
// deleted what another user stored between the last check and a request,
// because that goes unnoticed, and the first content: if a user restored it,
// the mirror took it for the document, and the current version replaced it.
func (h *history) deleted(text string) {
	delete(h.alive, text)
	for _, r := range h.service.records {
		if n := len(r.versions); n > 0 && r.versions[n-1] == text {
			for _, version := range r.versions {
				if h.between[version] || version == h.first {
					delete(h.alive, version)
				}
			}
		}
	}
}

func version(h *history, name string) bool {
	r := h.there(name)
	if r == nil || r.dir {
		return false
	}
	if n := len(r.versions); n > 0 {
		delete(h.alive, r.versions[n-1])
	}
	h.store(r)
	return true
}

func renameThere(h *history, from, to string) bool {
	r := h.there(from)
	if r == nil {
		return false
	}
	parent := ""
	if dir := path.Dir(to); dir != "." {
		in := h.there(dir)
		if in == nil || !in.dir || in == r {
			return false
		}
		for at := in; at != nil; at = h.service.records[at.parent] {
			if at == r {
				return false
			}
		}
		parent = in.id
	}
	r.parent, r.name = parent, path.Base(to)
	r.settle()
	return true
}

// settle lists a record that is in a folder at once: it is unknown whether a
// deleted folder contains items that are not listed yet.
func (r *fakeRecord) settle() {
	if r.parent != "" {
		r.hidden = 0
	}
}

func removeThere(h *history, name string) bool {
	r := h.there(name)
	if r == nil {
		return false
	}
	h.deleteThere(r)
	return true
}

func (h *history) deleteThere(r *fakeRecord) {
	r.deleted = true
	for _, text := range r.versions {
		delete(h.alive, text)
	}
	for _, child := range h.service.sorted() {
		if child.parent == r.id && !child.deleted {
			h.deleteThere(child)
		}
	}
}

func createThere(h *history, name string, stored bool) bool {
	parent := ""
	if dir := path.Dir(name); dir != "." {
		in := h.there(dir)
		if in == nil || !in.dir {
			return false
		}
		parent = in.id
	}
	r := h.service.insert(parent, path.Base(name), false)
	r.settle()
	if stored {
		h.store(r)
	}
	return true
}

func swapThere(h *history, a, b string) bool {
	one, other := h.there(a), h.there(b)
	if one == nil || other == nil {
		return false
	}
	one.name, other.name = other.name, one.name
	return true
}

// folderThere replaces a document by a folder with one document.
func folderThere(h *history, name string) bool {
	if r := h.there(name); r == nil || r.dir || !removeThere(h, name) {
		return false
	}
	dir := h.service.insert("", name, true)
	dir.hidden = 0
	inside := h.service.insert(dir.id, "x", false)
	inside.hidden = 0
	h.store(inside)
	return true
}

// fileThere replaces a folder by a document.
func fileThere(h *history, name string) bool {
	if r := h.there(name); r == nil || !r.dir || !removeThere(h, name) {
		return false
	}
	h.store(h.service.insert("", name, false))
	return true
}

func (h *history) store(r *fakeRecord) { r.versions = append(r.versions, h.text()) }

// changes returns the possible changes by users.
func changes() []change {
	return []change{
		{"here: create or edit a", func(h *history) bool { return write(h, "a", false) }},
		{"here: edit b at its time", func(h *history) bool { return write(h, "b", true) }},
		{"here: delete a", func(h *history) bool { return removeHere(h, "a") }},
		{"here: delete D", func(h *history) bool { return removeHere(h, "D") }},
		{"here: rename a to c", func(h *history) bool { return rename(h, "a", "c") }},
		{"here: rename b over a", func(h *history) bool { return rename(h, "b", "a") }},
		{"here: swap a and b", func(h *history) bool { return swap(h, "a", "b") }},
		{"here: move a into D", func(h *history) bool { return rename(h, "a", "D/a") }},
		{"here: move E into D", func(h *history) bool { return rename(h, "E", "D/E") }},
		{"here: rename D to F", func(h *history) bool { return rename(h, "D", "F") }},
		{"here: a becomes a folder", func(h *history) bool {
			return removeHere(h, "a") && os.Mkdir(h.at("a"), 0o700) == nil && write(h, "a/x", false)
		}},
		{"here: E becomes a file", func(h *history) bool { return removeHere(h, "E") && write(h, "E", false) }},
		{"here: a in another form", func(h *history) bool { return rename(h, "u\u0308", "\u00fc") }},
		{"here: edit a at its time", func(h *history) bool { return write(h, "a", true) }},
		{"here: restore a", restore},
		{"here: save a, with a backup", func(h *history) bool { return rename(h, "a", "a~") && write(h, "a", false) }},
		{"here: save a by a rename", func(h *history) bool { return write(h, "a.new", false) && rename(h, "a.new", "a") }},
		{"there: version of a", func(h *history) bool { return version(h, "a") }},
		{"there: version of D/x", func(h *history) bool { return version(h, "D/x") }},
		{"there: delete a", func(h *history) bool { return removeThere(h, "a") }},
		{"there: delete D", func(h *history) bool { return removeThere(h, "D") }},
		{"there: create a", func(h *history) bool { return createThere(h, "a", true) }},
		{"there: rename a to c", func(h *history) bool { return renameThere(h, "a", "c") }},
		{"there: rename b to a", func(h *history) bool { return renameThere(h, "b", "a") }},
		{"there: move b into D", func(h *history) bool { return renameThere(h, "b", "D/b") }},
		{"there: move D into E", func(h *history) bool { return renameThere(h, "D", "E/D") }},
		{"there: rename D to G", func(h *history) bool { return renameThere(h, "D", "G") }},
		{"there: swap a and b", func(h *history) bool { return swapThere(h, "a", "b") }},
		{"there: a becomes a folder", func(h *history) bool { return folderThere(h, "a") }},
		{"there: E becomes a file", func(h *history) bool { return fileThere(h, "E") }},
		{"there: a in another form", func(h *history) bool { return renameThere(h, "u\u0308", "\u00fc") }},
		{"there: a broken upload of c", func(h *history) bool { return createThere(h, "c", false) }},
	}
}
