package practicetest

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// kept holds the internal data of a folder or file.
type kept struct {
	versions []fileVersion // versions of a file, the current one last
	log      []logEntry
	change   uint64 // sequence number of the latest change, counted over all folders and files; 0 if unchanged since the seed
}

func keptOf(r *record) kept {
	p, _ := r.data.(kept)
	return p
}

// logEntry is an entry in the history of a folder or file.
type logEntry struct {
	change           string
	at               time.Time
	user             string
	oldName, newName string
	oldIn, newIn     string // ids of the parent folders; empty for the root
	version          string // id of the file version; empty without content
	copied           string // id of the folder or file that this is a copy of, or ""
}

// rememberChange adds an entry to the history and assigns the next sequence
// number.
func rememberChange(t *tx, before, r *record) {
	p := keptOf(r)
	t.server.state.documentChanges++
	p.change = t.server.state.documentChanges
	p.log = append(slices.Clip(p.log), lineOf(before, r, t.now))
	r.data = p
}

func lineOf(before, r *record, at time.Time) logEntry {
	line := logEntry{change: changeOf(before, r), at: at, user: cmp.Or(r.editor, r.author), newName: wholeName(r), newIn: r.fields.str("in")}
	if before != nil {
		line.oldName, line.oldIn = wholeName(before), before.fields.str("in")
	}
	if v := current(r); v != nil {
		line.version = v.document(r)
	}
	return line
}

// changeOf returns the kind of a change in one word. The service documents only
// "Move"; the other words are invented.
func changeOf(before, r *record) string {
	switch {
	case before == nil:
		return "Create"
	case r.deleted != before.deleted:
		return map[bool]string{true: "Delete", false: "Restore"}[r.deleted]
	case r.fields.str("in") != before.fields.str("in"):
		return "Move"
	case wholeName(r) != wholeName(before):
		return "Rename"
	case len(keptOf(r).versions) != len(keptOf(before).versions):
		return "Upload"
	default:
		return "Update"
	}
}

// wholeName returns the name of a folder, or the name of a file with its
// extension.
func wholeName(r *record) string { return r.fields.str("name") + r.fields.str("fileExtension") }

// history returns the handler that lists the history of a folder or file,
// oldest first.
func history(of *resource, kind string) handler {
	return of.reading(func(s *Server, c *call, r *record) (answer, error) {
		v, segments, ids := s.view(c.link), c.segments(), s.state
		return func() []byte {
			w, lines := writer{view: v, of: r}, [][]byte(nil)
			for n, line := range keptOf(r).log {
				f, id := line.members(r), ids.uuid("history of "+r.id, uint64(n))
				f["id"], f["type"], f[strings.ToLower(kind)], f["copySource"+kind+"Id"] = id, kind, r.id, orNull(line.copied)
				f["head"] = location{"FileLogEntries", append(segments[:len(segments):len(segments)], id)}
				lines = append(lines, w.object(&value{object: "FileLogEntry"}, f))
			}
			return withValue(collection{head: v.link.head("FileLogEntries", segments...)}, lines)
		}, nil
	})
}

// members returns the members of an entry, without those that depend on the
// kind of record.
func (l logEntry) members(r *record) fields {
	f := fields{
		"changeType": l.change, "timestamp": l.at, "newName": l.newName, "newMatterId": r.above[0], "newFolderId": l.newIn,
		"documentVersionId": l.version, "userId": l.user,
	}
	if l.oldName != "" {
		f["oldName"], f["oldMatterId"], f["oldFolderId"] = l.oldName, r.above[0], l.oldIn
	}
	for name, text := range f {
		if text == "" {
			f[name] = nil
		}
	}
	return f
}

// path lists the folders on the way to a folder, from the outermost one down to
// the folder itself.
func (d *documents) path(s *Server, c *call, at *record) (answer, error) {
	t, way := s.tx(c), []*record{at}
	for in := at.fields.str("in"); in != ""; in = at.fields.str("in") {
		above, err := t.read(d.folders, in, c.values[:1])
		if err != nil {
			return nil, err
		}
		at, way = above, append(way, above)
	}
	slices.Reverse(way)
	v, segments, steps := s.view(c.link), c.segments(), make([]fields, len(way))
	for depth, folder := range way {
		steps[depth] = fields{"id": folder.id, "name": folder.fields.str("name"), "parentId": orNull(folder.fields.str("in")), "depth": depth}
	}
	return func() []byte {
		return withValue(collection{head: v.link.head("FolderPath", segments...)}, v.objects("FolderPathSegment", steps))
	}, nil
}
