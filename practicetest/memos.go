package practicetest

import (
	"strings"
	"time"

	"github.com/practicesdk/practice-go/models"
)

const memoPath = "/matters/{matterId}/memos/{id}"

// memos returns the area of memos, which are notes about matters.
func memos() area {
	memo := &resource{path: memoPath, relation: "Memos", event: "memo", change: changeMemo, derive: textOfMemo}
	return area{name: "Memos", resources: []*resource{memo}, below: func(sd *seeder, m *record, n int) {
		for i, title := range []string{"Instructions", "Call with the client", "Next steps"}[:1+(n+2)%3] {
			sd.add(m.account, memo, fields{
				"title": title, "text": []string{
					`{\rtf1\ansi ` + m.fields.str("description") + `\par}`, "The client agrees to the draft.", "Send the draft to the other side.",
				}[i],
			}, m.id)
		}
	}}
}

// changeMemo converts two members of the body that the record has under other
// names: the user and the creation time.
func changeMemo(_ *tx, r *record, body fields) {
	delete(r.fields, "userId")
	delete(r.fields, "createdDateUtc")
	if user := body.str("userId"); user != "" {
		r.editor = user
		if r.revision == 0 {
			r.author = user
		}
	}
	if written := body.str("createdDateUtc"); written != "" && r.revision == 0 {
		at, _ := dateTime(written)
		if isDay(written) {
			at, _ = time.Parse(time.DateOnly, written) // cannot fail: the schema check has passed
		}
		r.created = at
	}
}

// textOfMemo returns the text both as RTF and as plain text, whichever of them
// was written.
func textOfMemo(r *record) fields {
	text := r.fields.str("text")
	inner, formatted := strings.CutPrefix(text, `{\rtf1\ansi `)
	if !formatted {
		return fields{"plainText": text, "text": `{\rtf1\ansi ` + text + `\par}`}
	}
	return fields{"plainText": strings.TrimSuffix(inner, `\par}`), "text": text}
}

// AddMemo adds a memo to a matter and returns its id.
func (s *Server) AddMemo(matterID string, memo models.MemoWrite) string {
	return s.enter("createMemo", &memo, matterID)
}

// Memo returns the memo with the id and reports whether it exists.
func (s *Server) Memo(id string) (models.Memo, bool) {
	return recordOf[models.Memo](s, memoPath, id)
}
