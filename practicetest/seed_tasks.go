package practicetest

import "time"

// taskSubjects holds the subjects of the tasks of a matter.
var taskSubjects = [...]string{"Prepare the contract", "Call the client", "File the documents"}

// taskSeed creates the tasks of the first matters. Each matter has one task
// with subtasks and a document, a completed one and an open one.
type taskSeed struct{ task, subtask *resource }

// seededMatters is the number of matters that have tasks.
const seededMatters = 8

func (kinds taskSeed) seed(sd *seeder, a *account) {
	matters, people := sd.all(a, "matters"), sd.all(a, "staff")
	for i, m := range matters[:min(len(matters), seededMatters)] {
		for k, subject := range taskSubjects {
			by := people[(i+k)%4].id
			f := fields{
				"matterId": m.id, "creator": by, "staffId": by, "assigneeIds": []string{people[1].id, people[(i+k)%2*3].id}, "subject": subject,
				"note": "See the file.", "categories": []string{"Conveyancing"}, "duration": "PT1H30M", "isCompleted": k == 1,
				"dueDateOnly": sd.now.AddDate(0, 0, 1+sd.rand.IntN(20)).Format(time.DateOnly),
			}
			if k == 1 {
				f["completedByStaffId"], f["completedDateOnly"] = by, sd.date(20)
			}
			made := sd.make(a, kinds.task, sd.newID(kinds.task.path), f, nil)
			if k == 0 {
				f["subTasks"] = kinds.parts(sd, a, made)
			}
			sd.put(made)
		}
	}
}

// parts creates the subtasks of a task and returns their ids.
func (kinds taskSeed) parts(sd *seeder, a *account, task *record) (ids []string) {
	by := task.fields.str("creator")
	for i, subject := range []string{"Draft", "Review"} {
		f := fields{"creator": by, "staffId": by, "subject": subject, "isCompleted": i == 0}
		if i == 0 {
			f["completedByStaffId"], f["completedDateOnly"] = by, sd.date(20)
		}
		ids = append(ids, sd.add(a, kinds.subtask, f, task.id).id)
	}
	return ids
}
