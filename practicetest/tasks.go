package practicetest

import (
	"slices"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// tasks returns the area of tasks, with their subtasks and documents.
func tasks() area {
	task := &resource{
		path: "/tasks/{id}", relation: "Tasks", event: "task", change: changeTask, derive: taskMembers,
		filters: map[string]filter{
			"MatterId":    naming("matterId"),
			"IsCompleted": func(r *record, text string) bool { return r.fields.is("isCompleted") == (text == "true") },
		},
	}
	subtask := &resource{
		path: "/tasks/{taskId}/subtasks/{id}", relation: "Subtasks", event: "task", name: "subtask",
		change: changeSubtask, remove: loseSubtask, derive: taskMembers,
	}
	document := &resource{path: "/tasks/{taskId}/documents/{id}", relation: "TaskDocuments", change: changeTaskDocument, check: checkTaskDocument}
	return area{
		name: "Tasks", resources: []*resource{task, subtask, document}, seed: taskSeed{task, subtask}.seed,
		below: func(sd *seeder, m *record, _ int) {
			for _, t := range sd.list(task, m.account.id).All() {
				if t.fields.str("matterId") == m.id && t.fields.str("subject") == taskSubjects[0] {
					file := sd.list(sd.resource("files"), m.id).All()[0]
					sd.add(m.account, document, fields{"type": 0, "documentId": file.id, "document": documentPlace(file)}, t.id)
				}
			}
		},
	}
}

// changeTask sets the creator of a task and the date of its completion.
func changeTask(t *tx, r *record, body fields) {
	if r.fields["creator"] == nil {
		r.fields["creator"] = body.str("staffId")
	}
	if !r.fields.is("isCompleted") {
		for _, name := range []string{"completedDate", "completedDateOnly", "completedByStaffId"} {
			delete(r.fields, name)
		}
	} else if dayOf(r.fields, "completedDate") == "" {
		r.fields["completedDateOnly"] = t.now.Format(time.DateOnly)
	}
}

// changeSubtask does what changeTask does, and adds a new subtask to its task.
func changeSubtask(t *tx, r *record, body fields) {
	changeTask(t, r, body)
	t.alterTask(r, func(all []string) []string {
		if slices.Contains(all, r.id) {
			return all
		}
		return append(slices.Clone(all), r.id)
	})
}

// loseSubtask removes a deleted subtask from its task.
func loseSubtask(t *tx, r *record) {
	t.alterTask(r, func(all []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(id string) bool { return id == r.id })
	})
}

// alterTask changes the list of subtasks of the subtask's parent.
func (t *tx) alterTask(subtask *record, change func([]string) []string) {
	task, err := t.find(subtask.of.above, subtask.above[0], nil)
	if err != nil {
		return // the write itself reports that the task is missing
	}
	known, _ := task.fields["subTasks"].([]string)
	if all := change(known); !slices.Equal(all, known) {
		task = t.edit(task)
		task.fields["subTasks"] = all
		t.put(task, updated)
	}
}

// dayOf returns the date in a member. It may be given as a date, in the member
// with the suffix Only, or as a date-time; the former takes precedence.
func dayOf(f fields, name string) string {
	if day := f.str(name + "Only"); day != "" {
		return day
	}
	if at, given := dateTime(f.str(name)); given {
		return at.Format(time.DateOnly)
	}
	return ""
}

// taskMembers returns the computed members of a task or subtask: links and
// dates.
func taskMembers(r *record) fields {
	f := fields{
		"createdBy": r.fields["creator"], "lastUpdatedBy": r.fields["staffId"], "completedBy": r.fields["completedByStaffId"],
		"assignees": r.fields["assigneeIds"], "createdDateOnly": r.created,
	}
	for _, name := range []string{"dueDate", "completedDate"} {
		f[name], f[name+"Only"] = nil, nil
		if day := dayOf(r.fields, name); day != "" {
			f[name], f[name+"Only"] = day+"T00:00:00Z", day
		}
	}
	return f
}

// These constants are the types of documents that can be linked to a task.
const (
	taskFile = "0"
	taskMemo = "2"
)

// changeTaskDocument sets the link to the file or memo.
func changeTaskDocument(t *tx, r *record, _ fields) {
	of := t.documentsOf(r)
	if of == nil {
		return
	}
	t.server.state.lookUp(of, r.fields.str("documentId"))
	if found, err := t.find(of, r.fields.str("documentId"), nil); err == nil {
		r.fields["document"] = documentPlace(found)
	}
}

func checkTaskDocument(t *tx, c *call, r *record) error {
	of := t.documentsOf(r)
	if of == nil {
		return breach(c != nil, "type", "must not be a form: forms are not supported yet")
	}
	if r.fields["document"] == nil {
		_, err := t.find(of, r.fields.str("documentId"), nil)
		return unlessPending(err, conflict("documentId", "no such %s", of.name))
	}
	return nil
}

// documentsOf returns the resource for the document's type: files, memos, or
// nil for other types.
func (t *tx) documentsOf(r *record) *resource {
	switch string(r.fields.raw("type")) {
	case taskFile:
		return t.server.state.resource("files")
	case taskMemo:
		return t.server.state.resource("memos")
	default:
		return nil
	}
}

func documentPlace(document *record) place { return document.of.at(document.path()...) }

// AddTask adds a task to the firm and returns its id.
func (s *Server) AddTask(task models.TaskWrite) string { return s.enter("createTask", &task) }

// Task returns the task with the id and reports whether it exists.
func (s *Server) Task(id string) (models.Task, bool) {
	return recordOf[models.Task](s, "/tasks/{id}", id)
}

// AddSubtask adds a subtask to a task and returns its id.
func (s *Server) AddSubtask(taskID string, subtask models.SubtaskWrite) string {
	return s.enter("createSubTask", &subtask, taskID)
}

// Subtask returns the subtask with the id and reports whether it exists.
func (s *Server) Subtask(id string) (models.Subtask, bool) {
	return recordOf[models.Subtask](s, "/tasks/{taskId}/subtasks/{id}", id)
}

// AddTaskDocument links a file or memo to a task and returns the id of the
// link.
func (s *Server) AddTaskDocument(taskID string, document models.TaskDocumentCreate) string {
	return s.enter("createTaskDocument", &document, taskID)
}

// TaskDocument returns the link of a document to a task with the id and reports
// whether it exists.
func (s *Server) TaskDocument(id string) (models.TaskDocument, bool) {
	return recordOf[models.TaskDocument](s, "/tasks/{taskId}/documents/{id}", id)
}
