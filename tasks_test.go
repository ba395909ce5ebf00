package practice_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestATaskHasEveryField(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		all, err := practice.Collect(client.Tasks.All(t.Context(), practice.TaskListOptions{ListOptions: practice.ListOptions{Limit: 4}}))
		require.NoError(t, err)
		for _, listed := range all {
			r, err := client.Tasks.Get(t.Context(), listed.ID)
			require.NoError(t, err)
			testkit.AssertSent(t, server, "GET", "/tasks/"+listed.ID, "")
			assert.Equal(t, listed, *r)
			testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/tasks/{id}", listed.ID)), map[string]any{
				"href": r.Href, "relation": r.Relation, "method": r.Method, "self": r.Self, "id": r.ID, "matter": r.Matter,
				"parentTask": r.ParentTask, "createdBy": r.CreatedBy, "completedBy": r.CompletedBy, "lastUpdatedBy": r.LastUpdatedBy,
				"assignees": r.Assignees, "subTasks": r.SubTasks, "subject": r.Subject, "note": r.Note, "categories": r.Categories,
				"dueDate": r.DueDate, "dueDateOnly": r.DueDateOnly, "completedDate": r.CompletedDate, "completedDateOnly": r.CompletedDateOnly, //nolint:staticcheck // deprecated, but read as long as the service sends them
				"createdDate": r.CreatedDate, "createdDateOnly": r.CreatedDateOnly, "isCompleted": r.IsCompleted, "isDeleted": r.IsDeleted, //nolint:staticcheck // deprecated, but read as long as the service sends them
				"lastUpdated": r.LastUpdated, "duration": r.Duration,
			})
			for _, part := range r.SubTasks {
				subtask, err := client.Tasks.GetSubtask(t.Context(), r.ID, part.TargetID())
				require.NoError(t, err)
				assert.Equal(t, r.ID, subtask.ParentTask.TargetID(), "a link to a subtask leads below its task")
				assert.Contains(t, part.Href, "/tasks/"+r.ID+"/subtasks/")
			}
		}
	})
}

func TestTasksAreFiltered(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Tasks.List(t.Context(), practice.TaskListOptions{MatterID: f.MatterID, IsCompleted: models.Some(false)})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/tasks", "IsCompleted=false&MatterId="+f.MatterID)
		require.Len(t, page.Items, 2)
		for _, task := range page.Items {
			assert.Equal(t, f.MatterID, task.Matter.TargetID())
			assert.False(t, task.IsCompleted.Or(true))
		}
		page, err = client.Tasks.List(t.Context(), practice.TaskListOptions{MatterID: f.MatterID, IsCompleted: models.Some(true)})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.False(t, page.Items[0].CompletedDateOnly.IsZero())

		server.Clock().Advance(time.Second)
		since := server.Clock().Now()
		require.NoError(t, testkit.Discard(client.Tasks.Delete(t.Context(), f.TaskID)))
		server.Settle()
		page, err = client.Tasks.List(t.Context(), practice.TaskListOptions{UpdatedSince: since})
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		assert.True(t, page.Items[0].IsDeleted.Or(false), "deleted ones are listed")
	})
}

func TestATaskIsCompletedAndOpenedAgain(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		write := models.TaskWrite{StaffID: f.StaffID, MatterID: f.MatterID, AssigneeIDs: []string{f.StaffIDs[0], f.StaffID}, Subject: "Call the client", DueDate: models.DateTimeOf(testkit.SomeTime)} //nolint:staticcheck // deprecated, and still taken
		link, err := client.Tasks.Create(t.Context(), write)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/tasks", "")
		assert.Equal(t, 202, testkit.LastSent(t, server).Status)
		require.ErrorIs(t, testkit.Discard(client.Tasks.Get(t.Context(), link.TargetID())), practice.ErrNotFound, "the write takes effect later")
		get := func() *models.Task {
			server.Settle()
			task, err := client.Tasks.Get(t.Context(), link.TargetID())
			require.NoError(t, err)
			return task
		}
		task := get()
		assert.Equal(t, "2026-03-01", task.DueDateOnly.String(), "the instant has a day")
		assert.Equal(t, f.StaffID, task.CreatedBy.TargetID())
		require.Len(t, task.Assignees, 2)
		assert.Equal(t, f.StaffIDs[0], task.Assignees[0].TargetID())

		write.IsCompleted, write.CompletedByStaffID, write.StaffID = models.Some(true), f.StaffIDs[0], f.StaffIDs[0]
		require.NoError(t, testkit.Discard(client.Tasks.Update(t.Context(), link.TargetID(), write)))
		testkit.AssertSent(t, server, "PUT", "/tasks/"+link.TargetID(), "")
		task = get()
		assert.Equal(t, server.Clock().Now().UTC().Format(time.DateOnly), task.CompletedDateOnly.String(), "without a day, the present one")
		assert.Equal(t, f.StaffIDs[0], task.CompletedBy.TargetID())
		assert.Equal(t, f.StaffIDs[0], task.LastUpdatedBy.TargetID())
		assert.Equal(t, f.StaffID, task.CreatedBy.TargetID(), "the maker stays")

		write.IsCompleted, write.AssigneeIDs = models.Some(false), nil
		require.NoError(t, testkit.Discard(client.Tasks.Update(t.Context(), link.TargetID(), write)))
		task = get()
		assert.True(t, task.CompletedDateOnly.IsZero())
		assert.Empty(t, task.CompletedBy.TargetID())
		assert.Empty(t, task.Assignees, "a replacement clears what it leaves out")
	})
}

func TestSubtasksAreAddedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Tasks.ListSubtasks(t.Context(), f.TaskID, practice.SubtaskListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/tasks/"+f.TaskID+"/subtasks", "")
		require.Len(t, page.Items, 2)
		s, err := client.Tasks.GetSubtask(t.Context(), f.TaskID, f.SubtaskID)
		require.NoError(t, err)
		assert.Equal(t, page.Items[0], *s)
		testkit.AssertRecord(t, testkit.WireTree(t, testkit.WireText(t, client, "/tasks/{taskId}/subtasks/{id}", f.TaskID, f.SubtaskID)), map[string]any{
			"href": s.Href, "relation": s.Relation, "method": s.Method, "self": s.Self, "id": s.ID, "parentTask": s.ParentTask,
			"createdBy": s.CreatedBy, "completedBy": s.CompletedBy, "lastUpdatedBy": s.LastUpdatedBy, "subject": s.Subject,
			"completedDate": s.CompletedDate, "completedDateOnly": s.CompletedDateOnly, "createdDate": s.CreatedDate, //nolint:staticcheck // deprecated, but read as long as the service sends them
			"createdDateOnly": s.CreatedDateOnly, "isCompleted": s.IsCompleted, "isDeleted": s.IsDeleted, "lastUpdated": s.LastUpdated,
		})

		link, err := client.Tasks.CreateSubtask(t.Context(), f.TaskID, models.SubtaskWrite{StaffID: f.StaffID, Subject: "Send"})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/tasks/"+f.TaskID+"/subtasks", "")
		require.NoError(t, testkit.Discard(client.Tasks.UpdateSubtask(t.Context(), f.TaskID, f.SubtaskID, models.SubtaskWrite{StaffID: f.StaffID, Subject: "Draft again"})))
		testkit.AssertSent(t, server, "PUT", "/tasks/"+f.TaskID+"/subtasks/"+f.SubtaskID, "")
		require.NoError(t, testkit.Discard(client.Tasks.DeleteSubtask(t.Context(), f.TaskID, page.Items[1].ID)))
		testkit.AssertSent(t, server, "DELETE", "/tasks/"+f.TaskID+"/subtasks/"+page.Items[1].ID, "")
		server.Settle()
		task, err := client.Tasks.Get(t.Context(), f.TaskID)
		require.NoError(t, err)
		require.Len(t, task.SubTasks, 2)
		assert.Equal(t, f.SubtaskID, task.SubTasks[0].TargetID())
		assert.Equal(t, link.TargetID(), task.SubTasks[1].TargetID())
		changed, err := client.Tasks.GetSubtask(t.Context(), f.TaskID, f.SubtaskID)
		require.NoError(t, err)
		assert.Equal(t, "Draft again", changed.Subject)
		assert.False(t, changed.IsCompleted.Or(true))
		gone, err := client.Tasks.GetSubtask(t.Context(), f.TaskID, page.Items[1].ID)
		require.NoError(t, err)
		assert.True(t, gone.IsDeleted.Or(false))
	})
}

func TestDocumentsAreTiedToATaskAndUntied(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		page, err := client.Tasks.ListDocuments(t.Context(), f.TaskID, practice.TaskDocumentListOptions{})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/tasks/"+f.TaskID+"/documents", "")
		require.Len(t, page.Items, 1)
		d, err := client.Tasks.GetDocument(t.Context(), f.TaskID, f.TaskDocumentID)
		require.NoError(t, err)
		testkit.AssertSent(t, server, "GET", "/tasks/"+f.TaskID+"/documents/"+f.TaskDocumentID, "")
		assert.Equal(t, page.Items[0], *d)
		assert.Equal(t, f.TaskID, d.Task.TargetID())
		kind, given := d.Type.Get()
		assert.True(t, given, "0 is a file, which is not absent")
		assert.Equal(t, models.TaskDocumentTypeFile, kind)
		assert.Equal(t, f.FileID, d.Document.TargetID())

		link, err := client.Tasks.AddDocument(t.Context(), f.TaskID, models.TaskDocumentCreate{DocumentID: f.FileID, Type: models.TaskDocumentTypeFile})
		require.NoError(t, err)
		testkit.AssertSent(t, server, "POST", "/tasks/"+f.TaskID+"/documents", "")
		assert.Contains(t, string(testkit.LastSent(t, server).Body), `"type":0`, "a file is said, though its number is 0")
		require.NoError(t, testkit.Discard(client.Tasks.RemoveDocument(t.Context(), f.TaskID, f.TaskDocumentID)))
		testkit.AssertSent(t, server, "DELETE", "/tasks/"+f.TaskID+"/documents/"+f.TaskDocumentID, "")
		server.Settle()
		added, err := client.Tasks.GetDocument(t.Context(), f.TaskID, link.TargetID())
		require.NoError(t, err)
		assert.False(t, added.IsDeleted.Or(true))
		removed, err := client.Tasks.GetDocument(t.Context(), f.TaskID, f.TaskDocumentID)
		require.NoError(t, err)
		assert.True(t, removed.IsDeleted.Or(false))
		_, there := server.TaskDocument(link.TargetID())
		assert.True(t, there)
	})
}

func TestRefusalsOfTasks(t *testing.T) {
	t.Parallel()
	create := func(change func(*models.TaskWrite, practicetest.Firm)) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			task := models.TaskWrite{StaffID: f.StaffID}
			change(&task, f)
			return testkit.Discard(c.Tasks.Create(ctx, task))
		}
	}
	testkit.AssertRefusals(t, "Tasks.Create",
		testkit.Refusal{
			Rule: "a matter of another firm", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"matterId: no such matter"},
			Call: create(func(task *models.TaskWrite, f practicetest.Firm) { task.MatterID = f.OtherFirmMatterID }),
		},
		testkit.Refusal{
			Rule: "one assignee who is unknown", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"assigneeIds[1]: no such staff member"},
			Call: create(func(task *models.TaskWrite, f practicetest.Firm) {
				task.AssigneeIDs = []string{f.StaffID, testkit.UnknownID}
			}),
		},
		testkit.Refusal{
			Rule: "made by somebody else's staff", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"staffId: no such staff member"},
			Call: create(func(task *models.TaskWrite, f practicetest.Firm) { task.StaffID = f.OtherFirmStaffID }),
		},
	)
	tie := func(document func(practicetest.Firm) models.TaskDocumentCreate) func(context.Context, *practice.Client, practicetest.Firm) error {
		return func(ctx context.Context, c *practice.Client, f practicetest.Firm) error {
			return testkit.Discard(c.Tasks.AddDocument(ctx, f.TaskID, document(f)))
		}
	}
	testkit.AssertRefusals(t, "Tasks.AddDocument",
		testkit.Refusal{
			Rule: "a form", Want: practice.ErrBadRequest, Fields: []string{"type: must not be a form: forms are not supported yet"},
			Call: tie(func(f practicetest.Firm) models.TaskDocumentCreate {
				return models.TaskDocumentCreate{DocumentID: f.FileID, Type: models.TaskDocumentTypeFormTemplate}
			}),
		},
		testkit.Refusal{
			Rule: "an unknown file", Want: practice.ErrBadRequest, Conflict: true, Fields: []string{"documentId: no such file"},
			Call: tie(func(practicetest.Firm) models.TaskDocumentCreate {
				return models.TaskDocumentCreate{DocumentID: testkit.UnknownID, Type: models.TaskDocumentTypeFile}
			}),
		},
	)
}
