package practice_test

import (
	"errors"
	"fmt"
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

const foldersPath = "/matters/{matterId}/documents/folders"

func TestTheRootFolderHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		page, err := client.Documents.ListRootFolder(t.Context(), matter, practice.RootFolderListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+matter+"/documents/folders", "")
		assert.Equal(t, testkit.LastSent(t, server).RequestID, page.Response.EchoedRequestID)
		assertFolderPage(t, testkit.WireTree(t, testkit.WireText(t, client, foldersPath, matter)), page)
		assert.Empty(t, page.Name, "the root has no name")
		for _, folder := range page.Items[0].Folders {
			assert.Empty(t, folder.ParentID, "the id of the root is null")
		}
		for _, file := range page.Items[0].Files {
			assert.Equal(t, models.Link{}, file.Folder, "an empty object for a file of the root")
		}
	})
}

func TestAFolderHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Documents.ListFolder(t.Context(), f.MatterID, f.FolderID, practice.FolderListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/documents/folders/"+f.FolderID, "")
		assertFolderPage(t, testkit.WireTree(t, testkit.WireText(t, client, foldersPath+"/{folderId}", f.MatterID, f.FolderID)), page)
		assert.Equal(t, "Letters", page.Name)
		for _, folder := range page.Items[0].Folders {
			assert.Equal(t, f.FolderID, folder.ParentID)
		}
		var waiting models.File
		for _, file := range page.Items[0].Files {
			assert.Equal(t, f.FolderID, file.Folder.TargetID())
			if !file.IsUploaded.Or(true) {
				waiting = file
			}
		}
		assert.Equal(t, "Not uploaded", waiting.Name)
		assert.Empty(t, waiting.VersionID)
	})
}

func assertFolderPage(t *testing.T, wire any, page *practice.FolderPage) {
	t.Helper()
	testkit.AssertRecord(t, wire, map[string]any{
		"id": page.ID, "href": page.Href, "relation": page.Relation, "method": page.Method, "self": page.Self, "value": page.Items,
		"offset": page.Offset, "limit": page.Limit, "size": page.Size, "first": page.First, "previous": page.Previous,
		"next": page.Next, "last": page.Last, "parentId": page.ParentID, "name": page.Name, "isDeleted": page.IsDeleted,
	})
	listing := testkit.Member(t, wire, "value").([]any)[0]
	folders, files := testkit.Member(t, listing, "folders").([]any), testkit.Member(t, listing, "files").([]any)
	require.Len(t, page.Items[0].Folders, len(folders))
	for i, f := range page.Items[0].Folders {
		testkit.AssertRecord(t, folders[i], map[string]any{
			"id": f.ID, "href": f.Href, "relation": f.Relation, "method": f.Method, "self": f.Self,
			"parentId": f.ParentID, "name": f.Name, "isDeleted": f.IsDeleted,
		})
	}
	require.Len(t, page.Items[0].Files, len(files))
	for i, f := range page.Items[0].Files {
		testkit.AssertRecord(t, files[i], map[string]any{
			"id": f.ID, "href": f.Href, "relation": f.Relation, "method": f.Method, "self": f.Self, "versionId": f.VersionID,
			"folder": f.Folder, "matter": f.Matter, "name": f.Name, "fileExtension": f.FileExtension, "ownerId": f.OwnerID,
			"to": f.To, "from": f.From, "dateCreated": f.DateCreated, "dateModified": f.DateModified, "sizeBytes": f.SizeBytes,
			"downloadInfo": f.DownloadInfo, "additionalData": f.AdditionalData, "isFavorite": f.IsFavorite, "isUploaded": f.IsUploaded,
			"isCancelled": f.IsCancelled, "isDuplicate": f.IsDuplicate, "isDeleted": f.IsDeleted,
		})
	}
	assert.Equal(t, len(folders)+len(files), page.Size.Or(0), "folders and files count together")
}

func TestAPageOfAFolder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		options        practice.ListOptions
		query          string
		folders, files int
		next           bool
	}{
		{practice.ListOptions{Limit: 2}, "limit=2", 2, 0, true},
		{practice.ListOptions{Offset: 2, Limit: 3}, "limit=3&offset=2", 1, 2, true},
		{practice.ListOptions{Offset: 3, Limit: 500}, "limit=500&offset=3", 0, 22, false},
		{practice.ListOptions{Offset: 24}, "offset=24", 0, 1, false},
		{practice.ListOptions{Offset: 2147483647, Limit: 1}, "limit=1&offset=2147483647", 0, 0, false},
	} {
		t.Run(test.query, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				page, err := client.Documents.ListFolder(t.Context(), f.MatterID, f.FolderID, practice.FolderListOptions{ListOptions: test.options})
				require.NoError(t, err)
				testkit.AssertSent(t, server, "GET", "/matters/"+f.MatterID+"/documents/folders/"+f.FolderID, test.query)
				assert.Len(t, page.Items[0].Folders, test.folders)
				assert.Len(t, page.Items[0].Files, test.files)
				assert.Equal(t, test.next, page.Next.Href != "")
				assert.Equal(t, 25, page.Size.Or(0), "of all pages")
			})
		})
	}
}

func TestCreatingAFolder(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", practice.MaxFolderName)
	for _, test := range []struct {
		name   string
		folder func(practicetest.Firm) models.FolderWrite
		body   string // P and U are replaced by the ids of the parent and the user
	}{
		{"in the root", func(practicetest.Firm) models.FolderWrite { return models.FolderWrite{Name: "Court"} }, `{"name":"Court"}`},
		{"in a folder", func(f practicetest.Firm) models.FolderWrite {
			return models.FolderWrite{Name: "Court", ParentFolderID: f.FolderID}
		}, `{"name":"Court","parentFolderId":"P"}`},
		{"for a user", func(f practicetest.Firm) models.FolderWrite {
			return models.FolderWrite{Name: "Court", UserID: f.UserID}
		}, `{"name":"Court","userId":"U"}`},
		{"with the longest name", func(practicetest.Firm) models.FolderWrite { return models.FolderWrite{Name: long} }, `{"name":"` + long + `"}`},
		{"with a name that has to be escaped", func(practicetest.Firm) models.FolderWrite {
			return models.FolderWrite{Name: `a/b "c" <d> & \e`}
		}, `{"name":"a/b \"c\" <d> & \\e"}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				folder := test.folder(f)
				if folder.UserID != "" {
					client = testkit.ServerToServer(t, server) // client credentials, which alone may act for a user
				}
				before := testkit.EntryIDs(t, client, f.MatterID, folder.ParentFolderID)
				link, err := client.Documents.CreateFolder(t.Context(), f.MatterID, folder)
				require.NoError(t, err)
				testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/documents/folders", "")
				want := testkit.WithID(testkit.WithID(test.body, "P", f.FolderID), "U", f.UserID)
				assert.Equal(t, want, string(testkit.LastSent(t, server).Body))
				assert.Equal(t, 202, testkit.LastSent(t, server).Status)

				assert.Equal(t, before, testkit.EntryIDs(t, client, f.MatterID, folder.ParentFolderID), "the write is only queued")
				err = testkit.Discard(client.Documents.ListFolder(t.Context(), f.MatterID, link.TargetID(), practice.FolderListOptions{}))
				require.ErrorIs(t, err, practice.ErrNotFound)

				server.Settle()
				assert.ElementsMatch(t, append(before, link.TargetID()), testkit.EntryIDs(t, client, f.MatterID, folder.ParentFolderID))
				var made models.FolderListingPage
				require.NoError(t, client.Follow(t.Context(), *link, &made))
				assert.Equal(t, folder.Name, made.Name)
				assert.Equal(t, folder.ParentFolderID, made.ParentID)
			})
		})
	}
}

func TestANameThatIsTakenMakesASecondFolder(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		first, err := client.Documents.CreateFolder(t.Context(), matter, models.FolderWrite{Name: "Twins"})
		require.NoError(t, err)
		second, err := client.Documents.CreateFolder(t.Context(), matter, models.FolderWrite{Name: "Twins"})
		require.NoError(t, err)
		assert.NotEqual(t, first.TargetID(), second.TargetID())
		server.Settle()
		assert.Equal(t, 2, testkit.FoldersNamed(t, client, matter, "Twins"))
	})
}

func TestAFolderThatIsNeverMade(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		server.FailWrite("createFolder", "No space left.")
		link, err := client.Documents.CreateFolder(t.Context(), matter, models.FolderWrite{Name: "Never"})
		require.NoError(t, err, "it was accepted")
		server.Settle()
		assert.Zero(t, testkit.FoldersNamed(t, client, matter, "Never"))
		require.ErrorIs(t, client.Follow(t.Context(), *link, nil), practice.ErrNotFound)
	})
}

func TestADeletedFolderCanBeRestored(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		before := testkit.EntryIDs(t, client, f.MatterID, f.FolderID)
		require.True(t, server.DeleteFolder(f.FolderID))
		deleted := func() (own *practice.FolderPage, listed bool) {
			own, err := client.Documents.ListFolder(t.Context(), f.MatterID, f.FolderID, practice.FolderListOptions{})
			require.NoError(t, err)
			return own, testkit.FoldersNamed(t, client, f.MatterID, "Letters") == 1
		}
		own, listed := deleted()
		assert.True(t, own.IsDeleted.Or(false))
		assert.Empty(t, own.Items, "its own listing is empty")
		assert.Zero(t, own.Size.Or(-1))
		assert.False(t, listed, "and its parent's does not have it")

		link, err := client.Documents.RestoreFolder(t.Context(), f.MatterID, f.FolderID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PATCH", "/matters/"+f.MatterID+"/documents/folders/"+f.FolderID, "")
		assert.Equal(t, `{"isDeleted":false}`, string(testkit.LastSent(t, server).Body))
		assert.Equal(t, "application/json-patch+json", testkit.LastSent(t, server).Header.Get("Content-Type"))
		assert.Equal(t, f.FolderID, link.TargetID())
		own, listed = deleted()
		assert.True(t, own.IsDeleted.Or(false) && !listed, "the write is only queued")

		server.Settle()
		own, listed = deleted()
		assert.True(t, !own.IsDeleted.Or(true) && listed)
		assert.Equal(t, before, testkit.EntryIDs(t, client, f.MatterID, f.FolderID))
	})
}

func TestCreatingAFile(t *testing.T) {
	t.Parallel()
	data, err := models.ParseObject(`{"source":"scan","pages":2}`)
	require.NoError(t, err)
	for _, test := range []struct {
		name string
		file func(practicetest.Firm) models.FileCreate
		body string // F and U are replaced by the ids of the folder and the user
	}{
		{"a name is enough", func(practicetest.Firm) models.FileCreate { return models.FileCreate{FileName: "Agenda.docx"} }, `{"fileName":"Agenda.docx"}`},
		{"a folder and a date", func(f practicetest.Firm) models.FileCreate {
			return models.FileCreate{FileName: "Agenda.docx", FolderID: f.FolderID, DateCreated: models.DateTimeOf(testkit.SomeTime.In(time.FixedZone("", 3600)))}
		}, `{"fileName":"Agenda.docx","folderId":"F","dateCreated":"2026-03-01T09:30:00Z"}`},
		{"everything", func(f practicetest.Firm) models.FileCreate {
			return models.FileCreate{
				FileName: "Agenda.docx", FolderID: f.FolderID, DateCreated: models.DateTimeOf(testkit.SomeTime), DateModified: models.DateTimeOf(testkit.SomeTime.Add(123456700)),
				UserID: f.UserID, FolderPath: "Letters/2024", FileAdditionalData: data,
			}
		}, `{"fileName":"Agenda.docx","folderId":"F","dateCreated":"2026-03-01T09:30:00Z","dateModified":"2026-03-01T09:30:00.1234567Z",` +
			`"userId":"U","folderPath":"Letters/2024","fileAdditionalData":{"source":"scan","pages":2}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				if test.file(f).UserID != "" {
					client = testkit.ServerToServer(t, server) // client credentials, which alone may act for a user
				}
				info, err := client.Documents.CreateFile(t.Context(), f.MatterID, test.file(f))
				require.NoError(t, err)
				testkit.AssertSent(t, server, "POST", "/matters/"+f.MatterID+"/documents/files", "")
				assert.Equal(t, testkit.WithID(testkit.WithID(test.body, "F", f.FolderID), "U", f.UserID), string(testkit.LastSent(t, server).Body))
				assert.True(t, strings.HasPrefix(info.UploadURL.Reveal(), server.StorageURL()+"/"))
				assert.NotContains(t, fmt.Sprintf("%+v %#v", info, *info), "Signature", "the address is a secret")
				assert.Equal(t, server.Clock().Now().Add(15*time.Minute).Unix(), info.Expiry.Time().Unix())
				err = testkit.Discard(client.Documents.GetDownloadURL(t.Context(), f.MatterID, info.FileID, practice.DownloadURLOptions{}))
				require.ErrorIs(t, err, practice.ErrNotFound, "there is no content yet")
			})
		})
	}
}

func TestAddressesOfAFile(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		path := "/matters/" + f.MatterID + "/documents/files/" + f.FileID
		up, err := client.Documents.GetUploadURL(t.Context(), f.MatterID, f.FileID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path+"/upload", "")
		assert.Equal(t, f.FileID, up.FileID)
		assert.False(t, up.Expiry.IsZero())

		down, err := client.Documents.GetDownloadURL(t.Context(), f.MatterID, f.FileID, practice.DownloadURLOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path+"/download", "")
		content, _ := server.FileContent(f.FileID)
		assert.Equal(t, models.DownloadInfo{
			FileID: f.FileID, DownloadURL: down.DownloadURL, Expiry: down.Expiry, SizeBytes: models.Some(int64(len(content))),
			Name: "1. Agenda", FileExtension: ".docx",
		}, *down)
		assert.True(t, strings.HasPrefix(down.DownloadURL.Reveal(), server.StorageURL()+"/"))
		assert.NotEqual(t, up.UploadURL.Reveal(), down.DownloadURL.Reveal())

		version := testkit.FileOf(t, client, f.MatterID, "", f.FileID).VersionID
		require.NoError(t, testkit.Discard(client.Documents.GetDownloadURL(t.Context(), f.MatterID, f.FileID, practice.DownloadURLOptions{VersionID: version})))
		testkit.AssertSent(t, server, "GET", path+"/download", "versionId="+version)
	})
}

func TestADeletedFileIsGone(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		require.True(t, server.DeleteFile(f.FileID))
		assert.NotContains(t, testkit.EntryIDs(t, client, f.MatterID, ""), f.FileID)
		require.ErrorIs(t, testkit.Discard(client.Documents.GetUploadURL(t.Context(), f.MatterID, f.FileID)), practice.ErrNotFound)
	})
}

func TestBothShapesOfErrorsAreRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		var err error
		server.Tolerate(func() {
			err = testkit.Discard(client.Documents.ListFolder(t.Context(), matter, "drafts", practice.FolderListOptions{}))
		})
		asObject, ok := errors.AsType[*practice.Error](err)
		require.True(t, ok, "%v", err)
		assert.True(t, strings.HasPrefix(string(asObject.Problem.RawErrors), `{"folderId":[`), "%s", asObject.Problem.RawErrors)

		server.Tolerate(func() { err = testkit.Discard(client.Documents.GetUploadURL(t.Context(), matter, "drafts")) })
		asList, ok := errors.AsType[*practice.Error](err)
		require.True(t, ok, "%v", err)
		assert.True(t, strings.HasPrefix(string(asList.Problem.RawErrors), `[{"field":"fileId",`), "%s", asList.Problem.RawErrors)

		assert.Equal(t, "folderId: must be a UUID", asObject.Problem.Errors[0].String())
		assert.Equal(t, "fileId: must be a UUID", asList.Problem.Errors[0].String())
		assert.Equal(t, "Invalid", asList.Problem.Errors[0].Code)
	})
}

func TestAFolderIsRenamedMovedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		outer := server.AddFolder(f.MatterID, models.FolderWrite{Name: "Outer"})
		path := "/matters/" + f.MatterID + "/documents/folders/" + f.FolderID
		require.NoError(t, testkit.Discard(client.Documents.PatchFolder(t.Context(), f.MatterID, f.FolderID, models.FolderPatch{ParentFolderID: models.Some(outer)})))
		testkit.AssertSent(t, server, "PATCH", path, "")
		server.Settle()
		folder, _ := server.Folder(f.FolderID)
		assert.Equal(t, []string{"Letters", outer}, []string{folder.Name, folder.ParentID}, "what a patch leaves out stays")
		way, err := client.Documents.ListFolderPath(t.Context(), f.MatterID, f.FolderID, practice.FolderPathListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path+"/path", "")
		assert.Equal(t, []models.FolderPathSegment{
			{ID: outer, Name: "Outer", Depth: models.Some(0)}, {ID: f.FolderID, Name: "Letters", ParentID: outer, Depth: models.Some(1)},
		}, way.Items)

		link, err := client.Documents.UpdateFolder(t.Context(), f.MatterID, f.FolderID, models.FolderWrite{Name: "Mail"})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "PUT", path, "")
		assert.Equal(t, f.FolderID, link.TargetID())
		server.Settle()
		folder, _ = server.Folder(f.FolderID)
		assert.Equal(t, []string{"Mail", ""}, []string{folder.Name, folder.ParentID}, "a replacement without a parent moves it to the root")

		require.NoError(t, testkit.Discard(client.Documents.DeleteFolder(t.Context(), f.MatterID, f.FolderID)))
		testkit.AssertSent(t, server, "DELETE", path, "")
		server.Settle()
		assert.Zero(t, testkit.FoldersNamed(t, client, f.MatterID, "Mail"))
		for file, err := range client.Documents.AllFiles(t.Context(), f.MatterID, practice.FileListOptions{}) {
			require.NoError(t, err)
			assert.NotEqual(t, f.FolderID, file.Folder.TargetID(), "what lies in a deleted folder is not listed")
		}
		require.NoError(t, testkit.Discard(client.Documents.RestoreFolder(t.Context(), f.MatterID, f.FolderID)))
		server.Settle()
		assert.Equal(t, 1, testkit.FoldersNamed(t, client, f.MatterID, "Mail"))

		page, err := client.Documents.ListFolderHistory(t.Context(), f.MatterID, f.FolderID, practice.FolderHistoryListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", path+"/history", "")
		testkit.AssertHistory(t, testkit.WireTree(t, testkit.WireText(t, client, foldersPath+"/{folderId}/history", f.MatterID, f.FolderID)), page.Items)
		var told []string
		for _, entry := range page.Items {
			told = append(told, string(entry.ChangeType))
			assert.Equal(t, []any{models.FileLogEntryTypeFolder, f.FolderID, models.Link{}}, []any{entry.Type, entry.Folder.TargetID(), entry.File})
		}
		assert.Equal(t, []string{"Create", "Move", "Move", "Delete", "Restore"}, told)
	})
}
