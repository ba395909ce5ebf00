package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func tasks() []Operation {
	task := func(f Firm) models.TaskWrite {
		return models.TaskWrite{
			StaffID: f.StaffID, MatterID: f.MatterID, AssigneeIDs: []string{f.StaffID}, Subject: "Call the client", Duration: "PT30M",
		}
	}
	subtask := func(f Firm) models.SubtaskWrite { return models.SubtaskWrite{StaffID: f.StaffID, Subject: "Draft"} }
	return []Operation{
		{"Tasks.List", "listTasks", func(f Firm) []any {
			return []any{practice.TaskListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, MatterID: f.MatterID, IsCompleted: models.Some(false)}}
		}},
		{"Tasks.Create", "createTask", func(f Firm) []any {
			return []any{task(f)}
		}},
		{"Tasks.Get", "getTask", func(f Firm) []any {
			return []any{f.TaskID}
		}},
		{"Tasks.Update", "updateTask", func(f Firm) []any {
			return []any{f.TaskID, task(f)}
		}},
		{"Tasks.Delete", "deleteTask", func(f Firm) []any {
			return []any{f.TaskID}
		}},
		{"Tasks.ListSubtasks", "listSubTasks", func(f Firm) []any {
			return []any{f.TaskID, practice.SubtaskListOptions{}}
		}},
		{"Tasks.CreateSubtask", "createSubTask", func(f Firm) []any {
			return []any{f.TaskID, subtask(f)}
		}},
		{"Tasks.GetSubtask", "getSubTask", func(f Firm) []any {
			return []any{f.TaskID, f.SubtaskID}
		}},
		{"Tasks.UpdateSubtask", "updateSubTask", func(f Firm) []any {
			return []any{f.TaskID, f.SubtaskID, subtask(f)}
		}},
		{"Tasks.DeleteSubtask", "deleteSubTask", func(f Firm) []any {
			return []any{f.TaskID, f.SubtaskID}
		}},
		{"Tasks.ListDocuments", "listTaskDocuments", func(f Firm) []any {
			return []any{f.TaskID, practice.TaskDocumentListOptions{}}
		}},
		{"Tasks.AddDocument", "createTaskDocument", func(f Firm) []any {
			return []any{f.TaskID, models.TaskDocumentCreate{DocumentID: f.FileID, Type: models.TaskDocumentTypeFile}}
		}},
		{"Tasks.GetDocument", "getTaskDocument", func(f Firm) []any {
			return []any{f.TaskID, f.TaskDocumentID}
		}},
		{"Tasks.RemoveDocument", "deleteTaskDocument", func(f Firm) []any {
			return []any{f.TaskID, f.TaskDocumentID}
		}},
	}
}
