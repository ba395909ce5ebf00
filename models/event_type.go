package models

import (
	"encoding/json"
	"slices"

	"github.com/practicesdk/practice-go/internal/codec"
)

// EventType is the name of a kind of event. The set is open: a name without a constant here is as good as one
// with.
type EventType string

// EventOf is the name of a kind of event together with the type P of its payload. Convert any name to make
// one for an event without a constant here: EventOf[json.RawMessage]("custom.type").
type EventOf[P any] string

// The documented kinds of event. Where the payload is not specified it is raw JSON.
const (
	// Activity codes.
	EventTypeActivityCodeCreated EventOf[json.RawMessage] = "activitycode.created"
	EventTypeActivityCodeDeleted EventOf[json.RawMessage] = "activitycode.deleted"
	EventTypeActivityCodeUpdated EventOf[json.RawMessage] = "activitycode.updated"

	// Archive.
	EventTypeArchiveUpdated EventOf[json.RawMessage] = "archive.updated"

	// Billing configuration.
	EventTypeBillingConfigurationUpdated EventOf[json.RawMessage] = "billingconfiguration.updated"

	// Contacts.
	EventTypeContactCreated  EventOf[json.RawMessage] = "contact.created"
	EventTypeContactDeleted  EventOf[json.RawMessage] = "contact.deleted"
	EventTypeContactRestored EventOf[json.RawMessage] = "contact.restored"
	EventTypeContactUpdated  EventOf[json.RawMessage] = "contact.updated"

	// Expenses.
	EventTypeExpenseCreated EventOf[json.RawMessage] = "expense.created"
	EventTypeExpenseDeleted EventOf[json.RawMessage] = "expense.deleted"
	EventTypeExpenseUpdated EventOf[json.RawMessage] = "expense.updated"

	// Calendar events.
	EventTypeEventUpdated EventOf[json.RawMessage] = "event.updated"

	// Files of a matter.
	EventTypeFilesUpdated EventOf[json.RawMessage] = "files.updated"

	// Fees.
	EventTypeFeeCreated EventOf[json.RawMessage] = "fee.created"
	EventTypeFeeDeleted EventOf[json.RawMessage] = "fee.deleted"
	EventTypeFeeUpdated EventOf[json.RawMessage] = "fee.updated"

	// Firm and its users.
	EventTypeFirmUpdated     EventOf[json.RawMessage] = "firm.updated"
	EventTypeFirmUserUpdated EventOf[json.RawMessage] = "firmuser.updated"

	// Invoices.
	EventTypeInvoiceFinalized EventOf[json.RawMessage] = "invoice.finalized"

	// Layouts.
	EventTypeLayoutDesignUpdated EventOf[json.RawMessage] = "layoutdesign.updated"
	EventTypeLayoutMatterCreated EventOf[json.RawMessage] = "layoutmatter.created"
	EventTypeLayoutMatterUpdated EventOf[json.RawMessage] = "layoutmatter.updated"

	// Matters; a change of a matter type is a system event, sent to every subscription.
	EventTypeMatterTypeUpdated  EventOf[json.RawMessage] = "mattertype.updated"
	EventTypeMatterCreated      EventOf[json.RawMessage] = "matter.created"
	EventTypeMatterUpdated      EventOf[MatterPayload]   = "matter.updated"
	EventTypeMatterItemsUpdated EventOf[json.RawMessage] = "matteritems.updated"
	EventTypeMatterStageUpdated EventOf[json.RawMessage] = "matterstage.updated"

	// Memos.
	EventTypeMemoCreated  EventOf[json.RawMessage] = "memo.created"
	EventTypeMemoUpdated  EventOf[json.RawMessage] = "memo.updated"
	EventTypeMemoDeleted  EventOf[json.RawMessage] = "memo.deleted"
	EventTypeMemoRestored EventOf[json.RawMessage] = "memo.restored"

	// Roles.
	EventTypeRolesUpdated EventOf[json.RawMessage] = "roles.updated"

	// Staff.
	EventTypeStaffCreated EventOf[json.RawMessage] = "staff.created"
	EventTypeStaffUpdated EventOf[json.RawMessage] = "staff.updated"

	// Stage sets.
	EventTypeStageSetCreated EventOf[json.RawMessage] = "stageset.created"
	EventTypeStageSetUpdated EventOf[json.RawMessage] = "stageset.updated"

	// Tasks.
	EventTypeTaskCreated EventOf[json.RawMessage] = "task.created"
	EventTypeTaskUpdated EventOf[json.RawMessage] = "task.updated"
	EventTypeTaskDeleted EventOf[json.RawMessage] = "task.deleted"

	// Users.
	EventTypeUserRegistered   EventOf[json.RawMessage] = "user.registered"
	EventTypeUserUnregistered EventOf[json.RawMessage] = "user.unregistered"

	// Failures: a write that was accepted has failed later.
	EventTypeError EventOf[ErrorPayload] = "error"
)

// Type returns the name without the type of the payload, as subscriptions and notifications hold it.
func (e EventOf[P]) Type() EventType { return EventType(e) }

// Raw returns the name for an event whose payload is taken as raw JSON.
func (t EventType) Raw() EventOf[json.RawMessage] { return EventOf[json.RawMessage](t) }

// IsSystem reports whether the event is sent to every subscription, whatever its account.
func (t EventType) IsSystem() bool { return t == EventTypeMatterTypeUpdated.Type() }

// IsDocumented reports whether the name is one of [EventTypes].
func (t EventType) IsDocumented() bool { return slices.Contains(EventTypes(), t) }

func (t *EventType) read(r *codec.Reader) error { return codec.Text(t, r) }

func (t *EventType) write(w *codec.Writer) error { return codec.WriteText(*t, w) }

// EventTypes lists the documented kinds of event in the order of the specification; the list is the caller's
// own.
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
