package acceptance_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

const filesPath = "/matters/{matterId}/documents/files"

func TestAFileHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		all, err := practice.Collect(client.Documents.AllFiles(t.Context(), matter, practice.FileListOptions{ListOptions: practice.ListOptions{Limit: 7}}))
		require.NoError(t, err)
		require.NotEmpty(t, all)
		for _, listed := range all {
			f, err := client.Documents.GetFile(t.Context(), matter, listed.ID)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/matters/"+matter+"/documents/files/"+listed.ID, "")
			assert.Equal(t, listed, *f)
			own, there := server.File(listed.ID)
			assert.True(t, there)
			assert.Equal(t, f.Name, own.Name)
			testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, filesPath+"/{fileId}", matter, listed.ID)), map[string]any{
				"href": f.Href, "relation": f.Relation, "method": f.Method, "self": f.Self, "id": f.ID, "versionId": f.VersionID, "folder": f.Folder,
				"matter": f.Matter, "name": f.Name, "fileExtension": f.FileExtension, "ownerId": f.OwnerID, "to": f.To, "from": f.From,
				"dateCreated": f.DateCreated, "dateModified": f.DateModified, "sizeBytes": f.SizeBytes, "downloadInfo": f.DownloadInfo,
				"additionalData": f.AdditionalData, "isFavorite": f.IsFavorite, "isUploaded": f.IsUploaded, "isCancelled": f.IsCancelled,
				"isDuplicate": f.IsDuplicate, "isDeleted": f.IsDeleted,
			})
		}
	})
}

func TestFilesOfAllFoldersAreListedTheOldestFirst(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		inFolders := map[string]bool{}
		for entry, err := range client.Documents.Walk(t.Context(), f.MatterID, practice.WalkOptions{}) {
			require.NoError(t, err)
			if entry.File != nil {
				inFolders[entry.File.ID] = true
			}
		}
		var last time.Time
		listed := map[string]bool{}
		for file, err := range client.Documents.AllFiles(t.Context(), f.MatterID, practice.FileListOptions{ListOptions: practice.ListOptions{Limit: 5}}) {
			require.NoError(t, err)
			assert.False(t, file.DateCreated.Time().Before(last), file.Name)
			last, listed[file.ID] = file.DateCreated.Time(), true
		}
		assert.Equal(t, inFolders, listed)

		page, err := client.Documents.ListFiles(t.Context(), f.MatterID, practice.FileListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Sort: models.FileSortDateCreated, Search: []string{"LETTER", ".docx"},
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/documents/files", "Limit=2&Offset=1&Search=LETTER&Search=.docx&Sort=dateCreated")
		require.Len(t, page.Items, 2)
		for _, file := range page.Items {
			assert.Regexp(t, `(?i)letter|\.docx$`, file.Name+file.FileExtension)
		}
	})
}

func TestACursorListsWhatHasChangedSince(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		matter := f.MatterID
		note := server.AddFile(matter, models.FileCreate{FileName: "Note.txt", FolderID: f.FolderID})
		cursors := cursorsOf(t, server)
		rename := models.FilePatch{FileName: models.Some("Agenda 2.docx")}
		require.NoError(t, testkit.Discard(client.Documents.PatchFile(t.Context(), matter, f.FileID, rename)))
		server.Settle()
		require.NoError(t, testkit.Discard(client.Documents.DeleteFile(t.Context(), matter, note)))
		testkit.AssertSent(t, server, "DELETE", "/matters/"+matter+"/documents/files/"+note, "")
		server.Settle()

		since := <-cursors
		page, err := client.Documents.ListFiles(t.Context(), matter, practice.FileListOptions{Cursor: since})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+matter+"/documents/files", "Cursor="+since)
		require.Len(t, page.Items, 2, "the change of the event and the one after it")
		assert.Equal(t, f.FileID, page.Items[0].ID)
		assert.True(t, page.Items[1].ID == note && page.Items[1].IsDeleted.Or(false), "what is deleted says so")
		all, err := practice.Collect(client.Documents.AllFiles(t.Context(), matter, practice.FileListOptions{
			ListOptions: practice.ListOptions{Limit: 1}, Cursor: since,
		}))
		require.NoError(t, err)
		assert.Equal(t, page.Items, all, "every page goes on from the cursor")

		page, err = client.Documents.ListFiles(t.Context(), matter, practice.FileListOptions{Cursor: <-cursors})
		require.NoError(t, err)
		assert.Len(t, page.Items, 1)
	})
}

// cursorsOf returns the cursors of the events files.updated sent from now on.
func cursorsOf(t *testing.T, server *practicetest.Server) <-chan string {
	t.Helper()
	cursors := make(chan string, 1000)
	address, err := server.Mount(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		cursors <- testkit.Member(t, testkit.Member(t, testkit.WireTree(t, text), "payload"), "cursor").(string)
		w.WriteHeader(http.StatusOK)
	}))
	require.NoError(t, err)
	require.NoError(t, testkit.Discard(server.Client(t).Webhooks.Create(t.Context(), models.WebhookSubscriptionWrite{
		Name: "Files", EventTypes: []models.EventType{"files.updated"}, EventNotificationURL: address,
	})))
	return cursors
}

func TestACursorGoesWithoutOrderAndSearch(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.ResetRequests()
		for _, options := range []practice.FileListOptions{{Cursor: "c", Sort: models.FileSortDateCreated}, {Cursor: "c", Search: []string{"x"}}} {
			err := testkit.Discard(client.Documents.ListFiles(t.Context(), server.Firm().MatterID, options))
			refused, is := errors.AsType[*practice.ArgumentError](err)
			require.True(t, is, "%v", err)
			assert.Equal(t, "Cursor", refused.Argument)
		}
		assert.Empty(t, server.Requests())
		var err error
		server.Tolerate(func() {
			err = testkit.Discard(client.Documents.ListFiles(t.Context(), server.Firm().MatterID, practice.FileListOptions{Cursor: "of one's own"}))
		})
		assert.ErrorIs(t, err, practice.ErrBadRequest)
	})
}

func TestAFileIsRenamedMovedAndMarked(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		path := "/matters/" + f.MatterID + "/documents/files/" + f.FileID
		before, err := client.Documents.GetFile(t.Context(), f.MatterID, f.FileID)
		require.NoError(t, err)
		content, _ := server.FileContent(f.FileID)
		server.Clock().Advance(time.Minute)

		info, err := client.Documents.PatchFile(t.Context(), f.MatterID, f.FileID, models.FilePatch{
			FileName: models.Some("Agenda (final).pdf"), FolderID: models.Some(f.FolderID), IsFavorite: models.Some(true),
		})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PATCH", path, "")
		assert.Equal(t, `{"fileName":"Agenda (final).pdf","folderId":"`+f.FolderID+`","isFavorite":true}`, string(testkit.LastSent(t, server).Body))
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.Equal(t, f.FileID, info.FileID)
		assert.True(t, strings.HasPrefix(info.UploadURL.Reveal(), server.StorageURL()+"/"), "for a new version, if there is one")
		server.Settle()
		after, err := practice.Await(t.Context(), func(ctx context.Context) (*models.File, error) {
			return client.Documents.GetFile(ctx, f.MatterID, f.FileID)
		}, practice.Changed(before))
		require.NoError(t, err, "a new name is a change although the content has its version")
		assert.Equal(t, []string{"Agenda (final)", ".pdf", f.FolderID, before.VersionID}, []string{after.Name, after.FileExtension, after.Folder.TargetID(), after.VersionID})
		assert.True(t, after.IsFavorite.Or(false))
		assert.Equal(t, before.AdditionalData, after.AdditionalData, "what a patch leaves out stays")
		still, _ := server.FileContent(f.FileID)
		assert.Equal(t, content, still)
		assert.Contains(t, testkit.EntryIDs(t, client, f.MatterID, f.FolderID), f.FileID)

		require.NoError(t, testkit.Discard(client.Documents.PatchFile(t.Context(), f.MatterID, f.FileID, models.FilePatch{FolderID: models.Null[string]()})))
		server.Settle()
		assert.Contains(t, testkit.EntryIDs(t, client, f.MatterID, ""), f.FileID, "null is the root folder")
	})
}

func TestAReplacementOfAFileTakesWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		data, err := models.ParseObject(`{"source":"scan"}`)
		require.NoError(t, err)
		id := server.AddFile(f.MatterID, models.FileCreate{FileName: "Lease.pdf", FolderID: f.FolderID, FileAdditionalData: data})
		require.True(t, server.SetFileContent(id, []byte("lease")))
		require.NoError(t, testkit.Discard(client.Documents.ModifyFile(t.Context(), f.MatterID, id, func(file *models.FileWrite) error {
			assert.Equal(t, models.FileWrite{FileName: "Lease.pdf", FolderID: f.FolderID, FileAdditionalData: data, IsFavorite: models.Some(false)}, *file)
			file.FileName = "Lease 2.pdf"
			return nil
		})))
		server.Settle()
		file, _ := server.File(id)
		assert.Equal(t, []string{"Lease 2", ".pdf", f.FolderID}, []string{file.Name, file.FileExtension, file.Folder.TargetID()})
		assert.Equal(t, data, file.AdditionalData)

		require.NoError(t, testkit.Discard(client.Documents.UpdateFile(t.Context(), f.MatterID, id, models.FileWrite{FileName: "Lease 3.pdf"})))
		testkit.AssertSent(t, server, "PUT", "/matters/"+f.MatterID+"/documents/files/"+id, "")
		server.Settle()
		file, _ = server.File(id)
		assert.Equal(t, []any{"Lease 3", models.Link{}, ""}, []any{file.Name, file.Folder, file.AdditionalData.String()}, "in the root folder")
		content, _ := server.FileContent(id)
		assert.Equal(t, "lease", string(content))
	})
}

func TestModifyFileNoticesANewName(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		_, err := client.Documents.ModifyFile(t.Context(), f.MatterID, f.FileID, func(file *models.FileWrite) error {
			_, err := client.Documents.PatchFile(t.Context(), f.MatterID, f.FileID, models.FilePatch{FileName: models.Some("Faster.docx")})
			server.Settle()
			file.FileName = "Slower.docx"
			return err
		})
		require.ErrorIs(t, err, practice.ErrChangedMeanwhile)
	})
}

func TestADeletedFileIsFoundNoMore(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		link, err := client.Documents.DeleteFile(t.Context(), f.MatterID, f.FileID)
		require.NoError(t, err)
		assert.Equal(t, f.FileID, link.TargetID())
		_, err = practice.Await(t.Context(), func(ctx context.Context) (*models.File, error) {
			return client.Documents.GetFile(ctx, f.MatterID, f.FileID)
		}, practice.Gone())
		require.NoError(t, err)
		assert.NotContains(t, testkit.EntryIDs(t, client, f.MatterID, ""), f.FileID)
		_, there := server.File(f.FileID)
		assert.False(t, there)
		assert.False(t, server.SetFileContent(f.FileID, nil))
	})
}

func TestManyFilesAreCreatedInOneCall(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		var files []models.FileCreate
		for _, name := range strings.Fields("a.txt b.txt c.txt d.txt e.txt") {
			files = append(files, models.FileCreate{FileName: name, FolderPath: "Leases/2026"})
		}
		page, err := client.Documents.CreateFiles(t.Context(), f.MatterID, files)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/documents/files/bulk", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		require.Len(t, page.Items, len(files))
		server.Settle()
		names := map[string]string{}
		for _, info := range page.Items {
			file, err := client.Documents.GetFile(t.Context(), f.MatterID, info.FileID)
			require.NoError(t, err)
			names[file.Name] = file.Folder.TargetID()
		}
		assert.Len(t, names, len(files), "each has a file of its own")
		path, err := client.Documents.ListFolderPath(t.Context(), f.MatterID, names["a"], practice.FolderPathListOptions{})
		require.NoError(t, err)
		assert.Equal(t, []string{"Leases", "2026"}, []string{path.Items[0].Name, path.Items[1].Name})
		assert.Equal(t, 1, testkit.FoldersNamed(t, client, f.MatterID, "Leases"), "one folder for all of them")
	})
}

func TestManyFilesAreCreatedOrNone(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		before := testkit.EntryIDs(t, client, f.MatterID, "")
		_, err := client.Documents.CreateFiles(t.Context(), f.MatterID, []models.FileCreate{{FileName: "a.txt"}, {FileName: "b.txt", FolderID: testkit.UnknownID}})
		require.ErrorIs(t, err, practice.ErrNotFound)
		server.ResetRequests()
		_, err = client.Documents.CreateFiles(t.Context(), f.MatterID, []models.FileCreate{{FileName: "a.txt"}, {FolderID: f.FolderID}})
		refused, is := errors.AsType[*practice.ArgumentError](err)
		require.True(t, is, "%v", err)
		assert.Equal(t, "[1].fileName", refused.Argument)
		assert.Empty(t, server.Requests())
		page, err := client.Documents.CreateFiles(t.Context(), f.MatterID, nil)
		require.NoError(t, err)
		assert.Empty(t, page.Items)
		assert.Equal(t, "[]", string(testkit.LastSent(t, server).Body))
		server.Settle()
		assert.Equal(t, before, testkit.EntryIDs(t, client, f.MatterID, ""))
	})
}

func TestTheHistoryTellsWhatBecameOfAFile(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		first, _ := server.FileContent(f.FileID)
		require.NoError(t, testkit.Discard(client.Documents.PatchFile(t.Context(), f.MatterID, f.FileID, models.FilePatch{FolderID: models.Some(f.FolderID), UserID: models.Some(f.ColleagueUserID)})))
		server.Settle()
		require.NoError(t, testkit.Discard(client.Documents.PatchFile(t.Context(), f.MatterID, f.FileID, models.FilePatch{FileName: models.Some("Agenda.pdf")})))
		server.Settle()
		require.True(t, server.SetFileContent(f.FileID, []byte("new")))
		page, err := client.Documents.ListFileHistory(t.Context(), f.MatterID, f.FileID, practice.FileHistoryListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/documents/files/"+f.FileID+"/history", "")
		testkit.AssertHistory(t, testkit.WireTree(t, testkit.WireText(t, client, filesPath+"/{fileId}/history", f.MatterID, f.FileID)), page.Items)
		require.Len(t, page.Items, 5)
		created, moved, renamed, uploaded := page.Items[0], page.Items[2], page.Items[3], page.Items[4]
		assert.Equal(t, "1. Agenda.docx", created.NewName)
		source, _ := server.File(created.CopySourceFileID)
		assert.Equal(t, "1. Agenda", source.Name, "it is a copy")
		assert.Equal(t, []any{models.FileChangeTypeMove, "", f.FolderID, f.ColleagueUserID, models.FileLogEntryTypeFile, f.FileID},
			[]any{moved.ChangeType, moved.OldFolderID, moved.NewFolderID, moved.UserID, moved.Type, moved.File.TargetID()})
		assert.Equal(t, []string{"1. Agenda.docx", "Agenda.pdf"}, []string{renamed.OldName, renamed.NewName})
		assert.NotEqual(t, created.DocumentVersionID, uploaded.DocumentVersionID)
		assert.Equal(t, f.DocumentVersionID, created.DocumentVersionID)

		down, err := client.Documents.GetDownloadURL(t.Context(), f.MatterID, f.FileID, practice.DownloadURLOptions{VersionID: created.DocumentVersionID})
		require.NoError(t, err, "a download takes the id of the version")
		assert.Equal(t, int64(len(first)), down.SizeBytes.Or(0))
	})
}

func TestAPreviewIsAskedForAndWaitedFor(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		path := "/matters/" + f.MatterID + "/documents/files/" + f.FileID + "/preview"
		none, err := client.Documents.GetFilePreview(t.Context(), f.MatterID, f.FileID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path, "")
		assert.Equal(t, models.FilePreview{FileID: f.FileID, DocumentVersionID: f.DocumentVersionID}, *none, "nobody has asked for it")

		asked, err := client.Documents.RequestFilePreview(t.Context(), f.MatterID, f.FileID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", path, "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		assert.Equal(t, none, asked, "it is made later")
		server.Settle()
		ready, err := practice.Await(t.Context(), func(ctx context.Context) (*models.FilePreview, error) {
			return client.Documents.GetFilePreview(ctx, f.MatterID, f.FileID)
		}, practice.When(func(p *models.FilePreview) bool { return !p.DownloadURL.IsZero() }))
		require.NoError(t, err)
		assert.Equal(t, server.Clock().Now().Add(15*time.Minute).Unix(), ready.Expiry.Time().Unix())
		assert.True(t, strings.HasPrefix(contentAt(t, server, ready.DownloadURL), "%PDF-"))

		of, err := client.Documents.GetFileVersionPreview(t.Context(), f.MatterID, f.FileID, f.DocumentVersionID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path+"/"+f.DocumentVersionID, "")
		assert.False(t, of.DownloadURL.IsZero())

		require.True(t, server.SetFileContent(f.FileID, []byte("new")))
		fresh, err := client.Documents.GetFilePreview(t.Context(), f.MatterID, f.FileID)
		require.NoError(t, err)
		assert.True(t, fresh.DownloadURL.IsZero(), "a new version has a preview of its own")
		assert.NotEqual(t, f.DocumentVersionID, fresh.DocumentVersionID)
	})
}

// contentAt returns the content at a pre-signed address.
func contentAt(t *testing.T, server *practicetest.Server, address models.Secret) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address.Reveal(), nil)
	require.NoError(t, err)
	answer, err := server.HTTPClient().Do(request)
	require.NoError(t, err)
	defer func() { assert.NoError(t, answer.Body.Close()) }()
	content, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(content)
}

func TestWhatIsNotUploadedHasNoPreview(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		empty := server.AddFile(f.MatterID, models.FileCreate{FileName: "a.txt"})
		for name, err := range map[string]error{
			"no content":         testkit.Discard(client.Documents.GetFilePreview(t.Context(), f.MatterID, empty)),
			"asked without it":   testkit.Discard(client.Documents.RequestFilePreview(t.Context(), f.MatterID, empty)),
			"an unknown version": testkit.Discard(client.Documents.GetFileVersionPreview(t.Context(), f.MatterID, f.FileID, f.FileID+"-0123")),
		} {
			assert.ErrorIs(t, err, practice.ErrNotFound, name)
		}
	})
}
