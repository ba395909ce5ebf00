package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func tasks(f Firm) rows {
	task := models.TaskWrite{
		StaffID: f.StaffID, MatterID: f.MatterID, AssigneeIDs: []string{f.StaffID}, Subject: "Call the client", Duration: "PT30M",
	}
	subtask := models.SubtaskWrite{StaffID: f.StaffID, Subject: "Draft"}
	return rows{
		"listTasks":          {practice.TaskListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, MatterID: f.MatterID, IsCompleted: models.Some(false)}},
		"createTask":         {task},
		"updateTask":         {task},
		"createSubTask":      {subtask},
		"updateSubTask":      {subtask},
		"createTaskDocument": {models.TaskDocumentCreate{DocumentID: f.FileID, Type: models.TaskDocumentTypeFile}},
	}
}
