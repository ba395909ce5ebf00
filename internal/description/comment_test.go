package description_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

const notes = `area: Notes
doc: Notes belong to nothing.
parameters:
  id: text 1.., identifies the note.
operations:
  listNotes:
    call: GET /notes
    method: List
    doc: |
      Returns one page of the notes of a matter, without their text; see
      [models.Note.Text].

      The newest come first.
    walk: It may take long.
    answer: page of Note
  getNote:
    call: GET /notes/{id}
    method: Get
    doc: Returns a note with its text.
    answer: Note
  updateNote:
    call: PUT /notes/{id}
    method: Update
    doc: "Replaces a note: the service clears what the body leaves out."
    modify: The text stays as it is.
    body: NoteWrite
    answer: Note
  patchNote:
    call: PATCH /notes/{id}
    method: Patch
    doc: Changes a note.
    status: 200
    body: NoteWrite
    answer: Note
records:
  Note:
    doc: is a note.
    members:
      id: text always, identifies the note.
      text: text, is the text.
bodies:
  NoteWrite:
    doc: is the body that changes a note.
    members:
      text: text, is the text.
      userId: text instruction, is who changes it.
      staffId: text required instruction, is whose it is.
      key: text unreadable, is a word.
      code: text unreadable, is another word.
`

func TestCommentsFollowFromTextsAndFacts(t *testing.T) {
	t.Parallel()
	document, err := description.Load(fstest.MapFS{"notes.yaml": {Data: []byte(notes)}})
	require.NoError(t, err)
	var comments []string
	for _, o := range document.Areas[0].Operations {
		for _, comment := range document.Comments(o) {
			comments = append(comments, comment.Go(80))
		}
	}
	assert.Equal(t, []string{
		`// List returns one page of the notes of a matter, without their text; see
// [models.Note.Text].
//
// The newest come first.
//   - API: GET /notes`,
		`// All yields all the notes of a matter, without their text. It reads Limit
// records per page from Offset. It may take long.
//   - API: GET /notes`,
		`// Get returns a note with its text.
//   - API: GET /notes/{id}`,
		`// Update replaces a note: the service clears what the body leaves out.
//   - API: PUT /notes/{id}, asynchronous`,
		`// Modify reads a note, calls change with a body that would leave it unchanged,
// and sends the changed body. It returns a *ModifyError if the write could lose
// data. Key and Code cannot be read back: set them, or allow their loss by
// WithLoss("key", "code"). UserID, who changes it, cannot be read back and so
// starts empty. StaffID, whose it is, cannot be read back: set it. Patch sends
// only what changes. The text stays as it is.
//   - API: PUT /notes/{id}, asynchronous`,
		`// Patch changes a note.
//   - API: PATCH /notes/{id}`,
	}, comments)
}
