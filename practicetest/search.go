package practicetest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// search finds files of the whole account.
func search() area {
	return area{name: "Search", handlers: handlers{"searchFiles": (*Server).searchFiles}}
}

// fileQuery is what a search asks for; an empty list asks for everything.
type fileQuery struct {
	text                  string
	SearchFields          []string `json:"searchFields"`
	IncludeFileExtensions []string `json:"includeFileExtensions"`
	ExcludeFileExtensions []string `json:"excludeFileExtensions"`
	AuthorIDs             []string `json:"authorIds"`
	ContactIDs            []string `json:"contactIds"`
	matters               *resource
	server                *Server
}

// searchFiles answers the files that a query finds, the oldest first, in pages without a
// total.
func (s *Server) searchFiles(c *call) (answer, error) {
	q := fileQuery{text: strings.ToLower(member[string](c, "query")), matters: s.catalog.byTarget["matters"], server: s}
	if c.has("filters") && !c.isNull("filters") {
		_ = json.Unmarshal(c.body["filters"], &q) // the schema has checked it
	}
	s.state.furnishAll()
	files := s.catalog.byTarget["files"]
	var found []*record
	for key, place := range s.state.slots {
		if key.of == files && place.account == c.account && place.shown != nil && !place.shown.deleted && q.finds(place.shown) {
			found = append(found, place.shown)
		}
	}
	slices.SortFunc(found, func(a, b *record) int { return cmp.Compare(a.number, b.number) })
	return s.listing(c, files, found), nil
}

func (q *fileQuery) finds(file *record) bool {
	extension := strings.ToLower(file.fields.str("fileExtension"))
	return (len(q.IncludeFileExtensions) == 0 || hasExtension(q.IncludeFileExtensions, extension)) &&
		!hasExtension(q.ExcludeFileExtensions, extension) &&
		(len(q.AuthorIDs) == 0 || slices.Contains(lower(q.AuthorIDs), file.fields.str("ownerId"))) &&
		q.concerns(file) && q.matches(file)
}

// hasExtension knows an extension with its dot and without.
func hasExtension(all []string, extension string) bool {
	return slices.ContainsFunc(all, func(one string) bool {
		return strings.TrimPrefix(strings.ToLower(one), ".") == strings.TrimPrefix(extension, ".")
	})
}

// concerns tells whether the file belongs to a matter of one of the contacts.
func (q *fileQuery) concerns(file *record) bool {
	if len(q.ContactIDs) == 0 {
		return true
	}
	matter := q.server.state.slot(q.matters, file.above[0])
	if matter == nil || matter.shown == nil {
		return false
	}
	return slices.ContainsFunc(elements(matter.shown.fields["clients"]), func(id any) bool {
		text := fields{"": id}.str("")
		return slices.Contains(lower(q.ContactIDs), text)
	})
}

// matches looks for the text in the name, in the content, or in both.
func (q *fileQuery) matches(file *record) bool {
	in := func(field string) bool { return len(q.SearchFields) == 0 || slices.Contains(q.SearchFields, field) }
	name := strings.ToLower(file.fields.str("name") + file.fields.str("fileExtension"))
	if in("Name") && strings.Contains(name, q.text) {
		return true
	}
	version := current(file)
	if version == nil || !in("Content") {
		return false
	}
	content, _ := q.server.store.get(version.key)
	return strings.Contains(strings.ToLower(string(content)), q.text)
}
