package practicetest

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"
)

// listFiles lists the files of a matter, oldest first. With a cursor, it lists
// the files that have changed since.
func (d *documents) listFiles(s *Server, c *call) (answer, error) {
	matter := sameID(c.value("matterId"))
	if err := s.tx(c).parents(d.files, []string{matter}); err != nil {
		return nil, err
	}
	if cursor := c.query["Cursor"]; cursor != "" {
		since, known := changeOfCursor(cursor)
		if !known {
			return nil, invalid(fieldFault{"Cursor", "Invalid", "must be a cursor from a files.updated event"})
		}
		return s.listing(c, d.files, d.changed(s, matter, since)), nil
	}
	all := d.files.selected(c, d.below(s, matter))
	slices.SortStableFunc(all, func(a, b *record) int {
		return cmp.Or(madeAt(a).Compare(madeAt(b)), cmp.Compare(a.number, b.number))
	})
	return s.listing(c, d.files, all), nil
}

// below returns the files in a folder and in its subfolders, except for deleted
// subfolders.
func (d *documents) below(s *Server, folder string) []*record {
	all := slices.Clone(s.state.list(d.files, folder).All())
	for _, sub := range present(s.state.list(d.folders, folder).All()) {
		all = append(all, d.below(s, sub.id)...)
	}
	return all
}

// changed returns the files of a matter whose latest change has at least the
// number since, in the order of the changes. It includes files that are marked
// as deleted.
func (d *documents) changed(s *Server, matter string, since uint64) (all []*record) {
	for key, place := range s.state.All() {
		if key.Of == d.files && place.At.above[0] == matter && place.Shown != nil && keptOf(place.Shown).change >= since {
			all = append(all, place.Shown)
		}
	}
	slices.SortFunc(all, func(a, b *record) int { return cmp.Compare(keptOf(a).change, keptOf(b).change) })
	return all
}

// madeAt returns the creation time of a file, as the client gave it.
func madeAt(file *record) time.Time {
	at, _ := file.fields["dateCreated"].(time.Time)
	return at
}

// hasText reports whether the file name with its extension contains text,
// ignoring case.
func hasText(file *record, text string) bool {
	return contains(wholeName(file), text)
}

// cursorStart is a prefix in cursors that makes them opaque, so that clients
// cannot compute with them.
const cursorStart = "files since "

// cursorOf returns the cursor for a change.
func cursorOf(change uint64) string {
	return base64.RawURLEncoding.EncodeToString(strconv.AppendUint([]byte(cursorStart), change, 10))
}

func changeOfCursor(cursor string) (change uint64, known bool) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	number, ours := strings.CutPrefix(string(text), cursorStart)
	change, wrong := strconv.ParseUint(number, 10, 64)
	return change, err == nil && ours && wrong == nil
}
