package practicetest

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// search returns the area of the file search, which covers the whole account.
func search() area {
	return area{name: "Search", handlers: handlers{"searchFiles": (*Server).searchFiles}}
}

// fileQuery holds the query of a search. An empty list does not restrict the
// result.
type fileQuery struct {
	text                  string
	SearchFields          []string `json:"searchFields"`
	IncludeFileExtensions []string `json:"includeFileExtensions"`
	ExcludeFileExtensions []string `json:"excludeFileExtensions"`
	AuthorIDs             []string `json:"authorIds"`
	ContactIDs            []string `json:"contactIds"`
	server                *Server
}

// searchFiles lists the files that match a query, oldest first. Its pages do
// not contain the total.
func (s *Server) searchFiles(c *call) (answer, error) {
	q := fileQuery{text: strings.ToLower(member[string](c, "query")), server: s}
	if c.has("filters") && !c.isNull("filters") {
		_ = json.Unmarshal(c.body["filters"], &q) // cannot fail: the schema check has passed
	}
	s.state.furnishAll()
	found := where(q.listed(c.account), q.finds)
	slices.SortFunc(found, func(a, b *record) int { return cmp.Compare(a.number, b.number) })
	return s.listing(c, s.state.resource("files"), found), nil
}

// listed returns the files of the matters that belong to the contacts in the
// query, or of all matters.
func (q *fileQuery) listed(a *account) (all []*record) {
	st := q.server.state
	d := &documents{folders: st.resource("folders"), files: st.resource("files")}
	for _, owner := range []string{a.id, a.id + leads} {
		for _, matter := range st.list(st.resource("matters"), owner).All() {
			if !matter.deleted && q.concerns(matter) {
				all = append(all, d.below(q.server, matter.id)...)
			}
		}
	}
	return all
}

func (q *fileQuery) finds(file *record) bool {
	extension := strings.ToLower(file.fields.str("fileExtension"))
	return (len(q.IncludeFileExtensions) == 0 || hasExtension(q.IncludeFileExtensions, extension)) &&
		!hasExtension(q.ExcludeFileExtensions, extension) &&
		(len(q.AuthorIDs) == 0 || slices.Contains(lower(q.AuthorIDs), file.fields.str("ownerId"))) &&
		q.matches(file)
}

// hasExtension reports whether the list contains the extension. A leading dot
// is ignored.
func hasExtension(all []string, extension string) bool {
	return slices.ContainsFunc(all, func(one string) bool {
		return strings.TrimPrefix(strings.ToLower(one), ".") == strings.TrimPrefix(extension, ".")
	})
}

// concerns reports whether the matter belongs to one of the contacts in the
// query.
func (q *fileQuery) concerns(matter *record) bool {
	if len(q.ContactIDs) == 0 {
		return true
	}
	matter = q.server.state.completed(matter, seenByReads)
	return slices.ContainsFunc(q.ContactIDs, func(id string) bool { return matterNames(matter, id) })
}

// matches reports whether a searched field of the file, its name or its
// content, contains the text.
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
	content, _ := q.server.store.Get(version.key)
	return strings.Contains(strings.ToLower(string(content)), q.text)
}
