package models

import (
	"encoding/json"
	"slices"

	"github.com/practicesdk/practice-go/internal/codec"
)

// EventType is the name of a type of event. The set is open: names without a
// constant are valid too.
type EventType string

// EventOf is the name of a type of event with the type P of its payload,
// usually a record: Fee for EventTypeFeeUpdated. For an event without a
// constant, convert its name: EventOf[json.RawMessage]("custom.type").
type EventOf[P any] string

// The documented types of events. A payload is probably the record that a GET
// returns. The payload of [EventTypeFilesUpdated] is raw JSON: it concerns a
// matter and contains a cursor, but its members are not published.
const (
	// Activity codes.
	EventTypeActivityCodeCreated EventOf[ActivityCode] = "activitycode.created"
	EventTypeActivityCodeDeleted EventOf[ActivityCode] = "activitycode.deleted"
	EventTypeActivityCodeUpdated EventOf[ActivityCode] = "activitycode.updated"

	// Archive.
	EventTypeArchiveUpdated EventOf[MatterArchive] = "archive.updated"

	// Billing configuration.
	EventTypeBillingConfigurationUpdated EventOf[BillingConfiguration] = "billingconfiguration.updated"

	// Contacts.
	EventTypeContactCreated  EventOf[Contact] = "contact.created"
	EventTypeContactDeleted  EventOf[Contact] = "contact.deleted"
	EventTypeContactRestored EventOf[Contact] = "contact.restored"
	EventTypeContactUpdated  EventOf[Contact] = "contact.updated"

	// Expenses.
	EventTypeExpenseCreated EventOf[Expense] = "expense.created"
	EventTypeExpenseDeleted EventOf[Expense] = "expense.deleted"
	EventTypeExpenseUpdated EventOf[Expense] = "expense.updated"

	// Calendar events.
	EventTypeEventUpdated EventOf[CalendarEvent] = "event.updated"

	// Files of a matter.
	EventTypeFilesUpdated EventOf[json.RawMessage] = "files.updated"

	// Fees.
	EventTypeFeeCreated EventOf[Fee] = "fee.created"
	EventTypeFeeDeleted EventOf[Fee] = "fee.deleted"
	EventTypeFeeUpdated EventOf[Fee] = "fee.updated"

	// Firm and its users.
	EventTypeFirmUpdated     EventOf[Firm]     = "firm.updated"
	EventTypeFirmUserUpdated EventOf[FirmUser] = "firmuser.updated"

	// Invoices.
	EventTypeInvoiceFinalized EventOf[Invoice] = "invoice.finalized"

	// Layouts.
	EventTypeLayoutDesignUpdated EventOf[LayoutDesign]  = "layoutdesign.updated"
	EventTypeLayoutMatterCreated EventOf[MatterLayouts] = "layoutmatter.created"
	EventTypeLayoutMatterUpdated EventOf[MatterLayouts] = "layoutmatter.updated"

	// Matters; a change of a matter type is a system event, sent to every
	// subscription.
	EventTypeMatterTypeUpdated  EventOf[MatterType]    = "mattertype.updated"
	EventTypeMatterCreated      EventOf[Matter]        = "matter.created"
	EventTypeMatterUpdated      EventOf[MatterPayload] = "matter.updated"
	EventTypeMatterItemsUpdated EventOf[MatterItems]   = "matteritems.updated"
	EventTypeMatterStageUpdated EventOf[MatterStage]   = "matterstage.updated"

	// Memos.
	EventTypeMemoCreated  EventOf[Memo] = "memo.created"
	EventTypeMemoUpdated  EventOf[Memo] = "memo.updated"
	EventTypeMemoDeleted  EventOf[Memo] = "memo.deleted"
	EventTypeMemoRestored EventOf[Memo] = "memo.restored"

	// Roles.
	EventTypeRolesUpdated EventOf[MatterRoles] = "roles.updated"

	// Staff.
	EventTypeStaffCreated EventOf[StaffMember] = "staff.created"
	EventTypeStaffUpdated EventOf[StaffMember] = "staff.updated"

	// Stage sets.
	EventTypeStageSetCreated EventOf[StageSet] = "stageset.created"
	EventTypeStageSetUpdated EventOf[StageSet] = "stageset.updated"

	// Tasks.
	EventTypeTaskCreated EventOf[Task] = "task.created"
	EventTypeTaskUpdated EventOf[Task] = "task.updated"
	EventTypeTaskDeleted EventOf[Task] = "task.deleted"

	// Users.
	EventTypeUserRegistered   EventOf[User] = "user.registered"
	EventTypeUserUnregistered EventOf[User] = "user.unregistered"

	// Failures: an accepted write has failed later.
	EventTypeError EventOf[ErrorPayload] = "error"
)

// Type returns the name without the payload type, as used in subscriptions and
// notifications.
func (e EventOf[P]) Type() EventType { return EventType(e) }

// Raw returns the name for an event whose payload is decoded as raw JSON.
func (t EventType) Raw() EventOf[json.RawMessage] { return EventOf[json.RawMessage](t) }

// IsSystem reports whether the event is sent to every subscription, regardless
// of its account.
func (t EventType) IsSystem() bool { return t == EventTypeMatterTypeUpdated.Type() }

// IsDocumented reports whether the name is one of [EventTypes].
func (t EventType) IsDocumented() bool { return slices.Contains(EventTypes(), t) }

func (t *EventType) read(r *codec.Reader) error { return codec.Text(t, r) }

func (t *EventType) write(b []byte, w *codec.Writer) []byte { return w.Text(b, string(*t)) }

// EventTypes returns a new slice of the documented types of events in the order
// of the specification.
func EventTypes() []EventType {
	return []EventType{
		EventTypeActivityCodeCreated.Type(),
		EventTypeActivityCodeDeleted.Type(),
		EventTypeActivityCodeUpdated.Type(),
		EventTypeArchiveUpdated.Type(),
		EventTypeBillingConfigurationUpdated.Type(),
		EventTypeContactCreated.Type(),
		EventTypeContactDeleted.Type(),
		EventTypeContactRestored.Type(),
		EventTypeContactUpdated.Type(),
		EventTypeExpenseCreated.Type(),
		EventTypeExpenseDeleted.Type(),
		EventTypeExpenseUpdated.Type(),
		EventTypeEventUpdated.Type(),
		EventTypeFilesUpdated.Type(),
		EventTypeFeeCreated.Type(),
		EventTypeFeeDeleted.Type(),
		EventTypeFeeUpdated.Type(),
		EventTypeFirmUpdated.Type(),
		EventTypeFirmUserUpdated.Type(),
		EventTypeInvoiceFinalized.Type(),
		EventTypeLayoutDesignUpdated.Type(),
		EventTypeLayoutMatterCreated.Type(),
		EventTypeLayoutMatterUpdated.Type(),
		EventTypeMatterTypeUpdated.Type(),
		EventTypeMatterCreated.Type(),
		EventTypeMatterUpdated.Type(),
		EventTypeMatterItemsUpdated.Type(),
		EventTypeMatterStageUpdated.Type(),
		EventTypeMemoCreated.Type(),
		EventTypeMemoUpdated.Type(),
		EventTypeMemoDeleted.Type(),
		EventTypeMemoRestored.Type(),
		EventTypeRolesUpdated.Type(),
		EventTypeStaffCreated.Type(),
		EventTypeStaffUpdated.Type(),
		EventTypeStageSetCreated.Type(),
		EventTypeStageSetUpdated.Type(),
		EventTypeTaskCreated.Type(),
		EventTypeTaskUpdated.Type(),
		EventTypeTaskDeleted.Type(),
		EventTypeUserRegistered.Type(),
		EventTypeUserUnregistered.Type(),
		EventTypeError.Type(),
	}
}
