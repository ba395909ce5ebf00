package practice

import (
	"context"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var (
	tasksCreate         = operation{"Tasks.Create", http.MethodPost, "/tasks", transport.Create}
	tasksGet            = operation{"Tasks.Get", http.MethodGet, "/tasks/{id}", transport.Read}
	tasksUpdate         = operation{"Tasks.Update", http.MethodPut, "/tasks/{id}", transport.IdempotentWrite}
	tasksDelete         = operation{"Tasks.Delete", http.MethodDelete, "/tasks/{id}", transport.IdempotentWrite}
	tasksListSubtasks   = operation{"Tasks.ListSubtasks", http.MethodGet, "/tasks/{taskId}/subtasks", transport.Read}
	tasksCreateSubtask  = operation{"Tasks.CreateSubtask", http.MethodPost, "/tasks/{taskId}/subtasks", transport.Create}
	tasksGetSubtask     = operation{"Tasks.GetSubtask", http.MethodGet, "/tasks/{taskId}/subtasks/{id}", transport.Read}
	tasksUpdateSubtask  = operation{"Tasks.UpdateSubtask", http.MethodPut, "/tasks/{taskId}/subtasks/{id}", transport.IdempotentWrite}
	tasksDeleteSubtask  = operation{"Tasks.DeleteSubtask", http.MethodDelete, "/tasks/{taskId}/subtasks/{id}", transport.IdempotentWrite}
	tasksListDocuments  = operation{"Tasks.ListDocuments", http.MethodGet, "/tasks/{taskId}/documents", transport.Read}
	tasksAddDocument    = operation{"Tasks.AddDocument", http.MethodPost, "/tasks/{taskId}/documents", transport.Create}
	tasksGetDocument    = operation{"Tasks.GetDocument", http.MethodGet, "/tasks/{taskId}/documents/{id}", transport.Read}
	tasksRemoveDocument = operation{"Tasks.RemoveDocument", http.MethodDelete, "/tasks/{taskId}/documents/{id}", transport.IdempotentWrite}
)

func tasksList() *list[models.Task] {
	return paged("Tasks.List", "Tasks.All", "/tasks", func(t *models.Task) string { return t.ID })
}

// TasksService manages the tasks of the firm, their subtasks, and the documents
// that are tied to them.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/tasks.md
type TasksService service

// TaskListOptions narrow a list of tasks. The zero value lists all.
type TaskListOptions struct {
	ListOptions
	// UpdatedSince lists tasks changed at or after a time, to 100 ns.
	UpdatedSince time.Time
	MatterID     string // if set, lists only tasks of this matter
	// IsCompleted lists only completed tasks if true and only open ones if
	// false; if absent, both are listed.
	IsCompleted models.Opt[bool]
}

func (o TaskListOptions) filter(c *call) {
	c.time(KindInstant, "LastUpdated", o.UpdatedSince)
	c.param("MatterId", o.MatterID)
	if completed, given := o.IsCompleted.Get(); given {
		c.param("IsCompleted", strconv.FormatBool(completed))
	}
}

// List returns one page of tasks. Deleted ones are probably among them; see
// IsDeleted. Open and completed tasks are listed unless IsCompleted selects one
// kind.
//   - API: GET /tasks
func (s *TasksService) List(ctx context.Context, options TaskListOptions, opts ...CallOption) (*Page[models.Task], error) {
	return tasksList().page(ctx, s.client, options, opts)
}

// All yields all tasks. It reads Limit records per page from Offset.
//   - API: GET /tasks
func (s *TasksService) All(ctx context.Context, options TaskListOptions, opts ...CallOption) iter.Seq2[models.Task, error] {
	return tasksList().walk(ctx, s.client, options, opts)
}

// Create adds a task. StaffID of the body sets who makes the change.
//   - API: POST /tasks, asynchronous
func (s *TasksService) Create(ctx context.Context, task models.TaskWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksCreate, opts).with(&task))
}

// FindCreated returns the tasks that changed since a time and may be the one
// that Create was to add: those with the same subject and, where task has them,
// the same matter, note, due day and assignees. See
// [ContactsService.FindCreated] for such methods.
func (s *TasksService) FindCreated(ctx context.Context, task models.TaskWrite, since time.Time, opts ...CallOption) ([]models.Task, error) {
	return findCreated(ctx, s.client, "Tasks.FindCreated", func(ctx context.Context) iter.Seq2[models.Task, error] {
		return s.All(ctx, TaskListOptions{UpdatedSince: since, MatterID: task.MatterID}, wholeLists(opts)...)
	}, func(t *models.Task) bool { return isTask(t, &task) })
}

// isTask does not compare the members that change when the task is completed.
func isTask(t *models.Task, w *models.TaskWrite) bool {
	return t.Subject == w.Subject && sameIfGiven(w.Note, t.Note) && sameIfGiven(w.DueDateOnly, t.DueDateOnly) && sameIDsIfGiven(w.AssigneeIDs, t.Assignees)
}

// Get returns a task.
//   - API: GET /tasks/{id}
func (s *TasksService) Get(ctx context.Context, id string, opts ...CallOption) (*models.Task, error) {
	return send[models.Task](s.client.call(ctx, tasksGet, opts).at(id))
}

// Update replaces a task: the service clears what the body leaves out. A task
// that is completed without a day of completion gets the present day.
//   - API: PUT /tasks/{id}, asynchronous
func (s *TasksService) Update(ctx context.Context, id string, task models.TaskWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksUpdate, opts).at(id).with(&task))
}

// Delete deletes a task. It stays visible; see [models.Task.IsDeleted].
//   - API: DELETE /tasks/{id}, asynchronous
func (s *TasksService) Delete(ctx context.Context, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksDelete, opts).at(id))
}

// SubtaskListOptions is empty: the service has no options for this list.
type SubtaskListOptions struct{}

// ListSubtasks returns the subtasks of a task. The service does not page them.
//   - API: GET /tasks/{taskId}/subtasks
func (s *TasksService) ListSubtasks(ctx context.Context, taskID string, options SubtaskListOptions, opts ...CallOption) (*Page[models.Subtask], error) {
	return listUnpaged[models.Subtask](s.client.call(ctx, tasksListSubtasks, opts).at(taskID), noOptions(options))
}

// CreateSubtask adds a subtask to a task.
//   - API: POST /tasks/{taskId}/subtasks, asynchronous
func (s *TasksService) CreateSubtask(ctx context.Context, taskID string, subtask models.SubtaskWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksCreateSubtask, opts).at(taskID).with(&subtask))
}

// GetSubtask returns a subtask of a task.
//   - API: GET /tasks/{taskId}/subtasks/{id}
func (s *TasksService) GetSubtask(ctx context.Context, taskID, id string, opts ...CallOption) (*models.Subtask, error) {
	return send[models.Subtask](s.client.call(ctx, tasksGetSubtask, opts).at(taskID, id))
}

// UpdateSubtask replaces a subtask: the service clears what the body leaves
// out.
//   - API: PUT /tasks/{taskId}/subtasks/{id}, asynchronous
func (s *TasksService) UpdateSubtask(ctx context.Context, taskID, id string, subtask models.SubtaskWrite, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksUpdateSubtask, opts).at(taskID, id).with(&subtask))
}

// DeleteSubtask deletes a subtask.
//   - API: DELETE /tasks/{taskId}/subtasks/{id}, asynchronous
func (s *TasksService) DeleteSubtask(ctx context.Context, taskID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksDeleteSubtask, opts).at(taskID, id))
}

// TaskDocumentListOptions is empty: the service has no options for this list.
type TaskDocumentListOptions struct{}

// ListDocuments returns the documents that are tied to a task. The service does
// not page them.
//   - API: GET /tasks/{taskId}/documents
func (s *TasksService) ListDocuments(ctx context.Context, taskID string, options TaskDocumentListOptions, opts ...CallOption) (*Page[models.TaskDocument], error) {
	return listUnpaged[models.TaskDocument](s.client.call(ctx, tasksListDocuments, opts).at(taskID), noOptions(options))
}

// AddDocument ties a file or a memo to a task. Forms cannot be tied yet.
//   - API: POST /tasks/{taskId}/documents, asynchronous
func (s *TasksService) AddDocument(ctx context.Context, taskID string, document models.TaskDocumentCreate, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksAddDocument, opts).at(taskID).with(&document))
}

// GetDocument returns a document of a task.
//   - API: GET /tasks/{taskId}/documents/{id}
func (s *TasksService) GetDocument(ctx context.Context, taskID, id string, opts ...CallOption) (*models.TaskDocument, error) {
	return send[models.TaskDocument](s.client.call(ctx, tasksGetDocument, opts).at(taskID, id))
}

// RemoveDocument unties a document from a task; the file or memo stays.
//   - API: DELETE /tasks/{taskId}/documents/{id}, asynchronous
func (s *TasksService) RemoveDocument(ctx context.Context, taskID, id string, opts ...CallOption) (*models.Link, error) {
	return send[models.Link](s.client.call(ctx, tasksRemoveDocument, opts).at(taskID, id))
}

// Modify reads a task, calls change with a body that would leave it unchanged,
// and sends the changed body. It returns a *ModifyError if the write could lose
// data. StaffID, the id of the staff member who makes the change, cannot be
// read back: set it.
//   - API: PUT /tasks/{id}, asynchronous
func (s *TasksService) Modify(ctx context.Context, id string, change func(*models.TaskWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.TaskWrite, models.Link]{
		s.client, "Tasks.Modify", "", oneID(s.Get, id), ontoID(s.Update, id), opts,
	}, change)
}

// ModifySubtask reads a subtask of a task, calls change with a body that would
// leave it unchanged, and sends the changed body. It returns a *ModifyError if
// the write could lose data. StaffID, the id of the staff member who makes the
// change, cannot be read back: set it.
//   - API: PUT /tasks/{taskId}/subtasks/{id}, asynchronous
func (s *TasksService) ModifySubtask(ctx context.Context, taskID, id string, change func(*models.SubtaskWrite) error, opts ...CallOption) (*models.Link, error) {
	return modify(ctx, modification[models.SubtaskWrite, models.Link]{
		s.client, "Tasks.ModifySubtask", "", twoIDs(s.GetSubtask, taskID, id), ontoTwoIDs(s.UpdateSubtask, taskID, id), opts,
	}, change)
}
