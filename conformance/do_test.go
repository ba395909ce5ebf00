package conformance_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// TestDoKeepsToTheDocument sends what no method of the client sends, see
// unsent.
func TestDoKeepsToTheDocument(t *testing.T) {
	t.Parallel()
	server := service(t)
	described, sent := load(t, server.BaseURL()), newLedger()
	client, firm := observed(t, described, sent, server), server.Firm()
	var link models.Link
	require.NoError(t, client.Do(t.Context(), practice.Request{
		Method: http.MethodPatch, Path: "/matters/{matterId}/documents/folders/{folderId}", PathValues: []string{firm.MatterID, firm.FolderID},
		Body: &models.FolderPatch{Name: models.Some("Renamed"), ParentFolderID: models.Null[string](), UserID: models.Some(firm.OwnerUserID)},
	}, &link))
	assert.NotEmpty(t, link.Href)
	require.NoError(t, client.Do(t.Context(), practice.Request{
		Method: http.MethodDelete, Path: "/contacts/{id}/tags/{tagId}", PathValues: []string{firm.ContactID, firm.TagID}, Body: []string{firm.TagName},
	}, &link))

	require.NoError(t, client.Do(t.Context(), practice.Request{
		Method: http.MethodDelete, Path: "/matters/{matterId}/tags/{tagId}", PathValues: []string{firm.MatterID, firm.MatterTagID},
		Body: []models.MatterTagWrite{{Name: "Urgent", Type: models.MatterTagTypeCustom}},
	}, &link))

	var listed map[string]any
	require.NoError(t, client.Do(t.Context(), practice.Request{
		Method: http.MethodGet, Path: "/matters/{matterId}/invoices", PathValues: []string{firm.MatterID}, Query: url.Values{"UpdatedSince": {"638000000000000000"}},
	}, &listed))

	done := map[string]bool{
		"removeMatterTag with a body": sent.of("removeMatterTag").body, "listInvoices?UpdatedSince": sent.of("listInvoices").query["UpdatedSince"], "removeContactTags with a body": sent.of("removeContactTags").body}
	for member := range sent.of("patchFolder").members {
		done[member] = true
	}
	for name := range unsent {
		assert.True(t, done[name], name)
	}
}
