package practice

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	memosCreate = operation{"Memos.Create", http.MethodPost, "/matters/{matterId}/memos", transport.Create}
	memosGet    = operation{"Memos.Get", http.MethodGet, "/matters/{matterId}/memos/{id}", transport.Read}
	memosUpdate = operation{"Memos.Update", http.MethodPut, "/matters/{matterId}/memos/{id}", transport.IdempotentWrite}
	memosDelete = operation{"Memos.Delete", http.MethodDelete, "/matters/{matterId}/memos/{id}", transport.IdempotentWrite}
)

func memosList() *list[models.Memo] {
	return paged("Memos.List", "Memos.All", "/matters/{matterId}/memos", func(m *models.Memo) string { return m.ID })
}

// MemosService manages the notes about matters.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/memos.md
type MemosService service

// MemoListOptions choose the page of a list of memos.
type MemoListOptions struct{ ListOptions }

// List returns one page of the memos of a matter.
//   - API: GET /matters/{matterId}/memos
func (s *MemosService) List(ctx context.Context, matterID string, options MemoListOptions, opts ...CallOption) (*Page[models.Memo], error) {
	return memosList().page(ctx, s.client, options, opts, matterID)
}

// All yields all the memos of a matter. It reads Limit records per page from
// Offset.
//   - API: GET /matters/{matterId}/memos
func (s *MemosService) All(ctx context.Context, matterID string, options MemoListOptions, opts ...CallOption) iter.Seq2[models.Memo, error] {
	return memosList().walk(ctx, s.client, options, opts, matterID)
}

// Create adds a memo to a matter.
//   - API: POST /matters/{matterId}/memos, asynchronous
func (s *MemosService) Create(ctx context.Context, matterID string, memo models.MemoWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, memosCreate, opts).at(matterID).with(&memo))
}

// FindCreated returns the memos of a matter that changed since a time and may
// be the one that Create was to add: those with the same title and, unless memo
// has RTF, the same words. See [ContactsService.FindCreated] for such methods.
func (s *MemosService) FindCreated(ctx context.Context, matterID string, memo models.MemoWrite, since time.Time, opts ...CallOption) ([]models.Memo, error) {
	return findCreated(ctx, s.client, "Memos.FindCreated", func(ctx context.Context) iter.Seq2[models.Memo, error] {
		return s.All(ctx, matterID, MemoListOptions{}, wholeLists(opts)...)
	}, func(m *models.Memo) bool { return notBefore(m.LastUpdated, since) && isMemo(m, &memo) })
}

// isMemo compares the words only: the service converts plain text to RTF and
// may format RTF differently.
func isMemo(m *models.Memo, w *models.MemoWrite) bool {
	wrote := strings.Fields(w.Text)
	return m.Title == w.Title && (strings.HasPrefix(w.Text, `{\rtf`) || slices.Equal(wrote, strings.Fields(m.PlainText)) || slices.Equal(wrote, strings.Fields(m.Text)))
}

// Get returns a memo.
//   - API: GET /matters/{matterId}/memos/{id}
func (s *MemosService) Get(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Memo, error) {
	return send[models.Memo](s.client.call(ctx, memosGet, opts).at(matterID, id))
}

// Update replaces the title and the text of a memo. A text that was read may be
// RTF: send Text back, not PlainText.
//   - API: PUT /matters/{matterId}/memos/{id}, asynchronous
func (s *MemosService) Update(ctx context.Context, matterID, id string, memo models.MemoWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, memosUpdate, opts).at(matterID, id).with(&memo))
}

// Delete deletes a memo.
//   - API: DELETE /matters/{matterId}/memos/{id}, asynchronous
func (s *MemosService) Delete(ctx context.Context, matterID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, memosDelete, opts).at(matterID, id))
}

// Modify reads a memo, calls change with a body that would leave it unchanged,
// and sends the changed body. It returns a *ModifyError if the write could lose
// data. UserID, the id of the user who creates or changes the memo, cannot be
// read back and so starts empty.
//   - API: PUT /matters/{matterId}/memos/{id}, asynchronous
func (s *MemosService) Modify(ctx context.Context, matterID, id string, change func(*models.MemoWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.MemoWrite, models.Link]{
		s.client, "Memos.Modify", "", twoIDs(s.Get, matterID, id), ontoTwoIDs(s.Update, matterID, id), opts,
	}, change)
}
