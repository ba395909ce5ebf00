package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// EntryIDs returns the ids of the entries of a folder.
func EntryIDs(t *testing.T, client *practice.Client, matterID, folderID string) []string {
	t.Helper()
	entries, err := practice.Collect(client.Documents.AllEntries(t.Context(), matterID, folderID))
	require.NoError(t, err)
	var found []string
	for _, entry := range entries {
		found = append(found, entry.ID())
	}
	return found
}

// FileOf returns the file from the listing of its folder.
func FileOf(t *testing.T, client *practice.Client, matterID, folderID, fileID string) *models.File {
	t.Helper()
	for entry, err := range client.Documents.AllEntries(t.Context(), matterID, folderID) {
		require.NoError(t, err)
		if entry.File != nil && entry.File.ID == fileID {
			return entry.File
		}
	}
	require.Fail(t, "the file is not listed")
	return nil
}

// AssertHistory compares entries with the JSON of a page of the history of a
// file or folder.
func AssertHistory(t *testing.T, wire any, entries []models.FileLogEntry) {
	t.Helper()
	lines := Member(t, wire, "value").([]any)
	require.Len(t, lines, len(entries))
	for i, e := range entries {
		AssertRecord(t, lines[i], map[string]any{
			"href": e.Href, "relation": e.Relation, "method": e.Method, "self": e.Self, "id": e.ID, "type": e.Type, "changeType": e.ChangeType, "timestamp": e.Timestamp, "file": e.File, "folder": e.Folder,
			"oldName": e.OldName, "newName": e.NewName, "oldMatterId": e.OldMatterID, "newMatterId": e.NewMatterID,
			"oldFolderId": e.OldFolderID, "newFolderId": e.NewFolderID, "copySourceFileId": e.CopySourceFileID,
			"copySourceFolderId": e.CopySourceFolderID, "documentVersionId": e.DocumentVersionID, "userId": e.UserID,
		})
	}
}
