package practicetest

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// portal returns the area of the client portal.
func portal() area {
	task := &resource{
		path: "/matters/{matterId}/portal/tasks/{taskId}", name: "portal task",
	}
	return area{
		name: "Portal", resources: []*resource{task}, handlers: handlers{"sendPortalMessage": (*Server).sendPortalMessage},
		below: func(sd *seeder, m *record, i int) {
			people := sd.all(m.account, "contacts")
			sd.add(m.account, task, fields{
				"contactId": people[i%len(people)].id, "externalUserId": "user-1", "title": "Sign: costs agreement", "url": "https://sign.example.test/1",
				"actionText": "Sign",
			}, m.id)
		},
	}
}

// PortalMessage is a message to a contact on the client portal.
type PortalMessage struct {
	// MatterID is the id of the matter that the message is about.
	MatterID string `json:"matterId"`
	// ContactID is the id of the contact that received the message.
	ContactID string `json:"contactId"`
	// UserID is the id of the user in whose name the message was sent.
	UserID string `json:"userId"`
	// Text is the text of the message.
	Text string `json:"text"`
	// RequireMFA reports whether the contact must pass multi-factor
	// authentication to read the message.
	RequireMFA bool `json:"requireMFA"`
	// RequestID is the RequestId of the request. Empty if it had none.
	RequestID string `json:"requestId"`
	// Sent is the time at which the message was sent.
	Sent time.Time `json:"sent"`
}

// sendPortalMessage sends a message. With client credentials, the UserId header
// names the sender.
func (s *Server) sendPortalMessage(c *call) (answer, error) {
	if !c.has("contactId") {
		return nil, invalid(fieldFault{"contactId", "NotNull", "is required"})
	}
	message := PortalMessage{
		MatterID: sameID(c.value("matterId")), ContactID: sameID(member[string](c, "contactId")), UserID: sameID(c.userID),
		Text: member[string](c, "message"), RequireMFA: member[bool](c, "requireMFA"), RequestID: c.requestID,
	}
	return nil, s.accept(c, &write{resource: "message", id: message.MatterID}, func(t *tx) error {
		if _, err := t.find(s.state.resource("matters"), message.MatterID, nil); err != nil {
			return err
		}
		if _, err := t.find(s.state.resource("contacts"), message.ContactID, nil); err != nil {
			return err
		}
		message.Sent = t.now
		t.then = func() { s.state.messages = append(s.state.messages, message) }
		return nil
	})
}

// PortalMessages returns the messages sent on the client portal, in order.
func (s *Server) PortalMessages() []PortalMessage {
	defer s.settled()()
	return slices.Clone(s.state.messages)
}

// PortalTask is a task for a contact on the client portal.
type PortalTask struct {
	// ID is the id of the task.
	ID string `json:"id"`
	// MatterID is the id of the matter that the task is about.
	MatterID string `json:"matterId"`
	// Task holds the members that were set when the task was created.
	Task models.PortalTaskCreate `json:"task"`
	// Cancelled reports whether the task was cancelled.
	Cancelled bool `json:"cancelled"`
	// Completed reports whether the task was completed.
	Completed bool `json:"completed"`
	// Expired reports whether the task has expired.
	Expired bool `json:"expired"`
}

// AddPortalTask adds a task for a contact to the client portal and returns the
// id of the task.
func (s *Server) AddPortalTask(matterID string, task models.PortalTaskCreate) string {
	return s.enter("createPortalTask", &task, matterID)
}

// PortalTasks returns the client portal tasks about a matter, in order. No
// operation of the API lists them.
func (s *Server) PortalTasks(matterID string) []PortalTask {
	defer s.settled()()
	s.state.furnish(sameID(matterID))
	var tasks []PortalTask
	for _, r := range s.state.list(s.catalog.byPath("/matters/{matterId}/portal/tasks/{taskId}"), sameID(matterID)).All() {
		task := PortalTask{ID: r.id, MatterID: r.above[0], Cancelled: r.fields.is("cancelled"), Completed: r.fields.is("completed"), Expired: r.fields.is("expired")}
		if err := json.Unmarshal(encode(r.fields), &task.Task); err != nil {
			s.misuse("practicetest: the portal task %s cannot be read: %v", r.id, err)
		}
		tasks = append(tasks, task)
	}
	return tasks
}
