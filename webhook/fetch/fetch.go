// Package fetch reads an event's record from the service and passes it to
// webhook handlers. The payload of a notification is not signed and may be
// stale; a record that was read from the service is authentic and current.
//
//	fetch.On(receiver, fetch.From(client), models.EventTypeContactUpdated,
//		func(ctx context.Context, e *fetch.Event[models.Contact]) error {
//			if e.Gone() {
//				return forget(ctx, e.ID)
//			}
//			return store(ctx, e.Record)
//		})
//
// Each event costs one request. If handlers with the same [Clients] need a
// record at the same time, they share a read. A read made within the last
// second is reused if it shows the event's change. With a queue
// ([webhook.WithQueue]), a failed read is retried like a failed handler.
//
// An event may arrive before its change is visible: the record does not exist
// although the event is not a deletion, the record still exists although the
// event is a deletion, or its last update is older than the event. Such a
// record is read again a few times over several seconds before it is used as it
// is. With a queue, the message is retried later with [ErrStale]; within a
// request, and in the last attempt from a queue, the handler waits. The time of
// the last update is LastUpdated or, as for matters, a VersionID in ticks. If a
// record has no such time, for example a fee, an expense, an invoice or a staff
// member, it is read again while its VersionID differs from the payload's
// VersionID and the event is younger than five seconds. If a record has neither
// a time nor a VersionID, its age is unknown.
package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// Event is a notification with the record that it is about.
type Event[R any] struct {
	// Record is the record as the service returned it, at most a second ago. It
	// may contain changes newer than the event. Nil when the service does not
	// have the record, or no longer has it. Handlers that share a read also
	// share the lists and pointers in the record, and must not modify them.
	Record *R
	// ID is the id of the record. For a firm, and for a record that a matter
	// has only once, such as its roles, it is the id in the payload.
	ID string
	// MatterID is the id of the matter, for a record whose path contains one.
	// Otherwise empty.
	MatterID string
	// Notification is the event as received. Its payload is not signed. Use its
	// Identity as the key for an effect that must happen exactly once.
	Notification *webhook.Event[json.RawMessage]
}

// Gone reports whether the record is deleted: the service returned 404 for it,
// or [practice.IsDeleted] is true for Record. Unless the event is a deletion,
// a 404 counts only if the record was not found for 4.4 seconds and in five
// reads.
func (e *Event[R]) Gone() bool { return e.Record == nil || practice.IsDeleted(e.Record) }

// Clients finds the client of an account. Handlers that are registered with the
// same Clients share reads. See [From] and [ByAccount].
type Clients struct {
	of    func(ctx context.Context, accountID string) (*practice.Client, error)
	reads reads
}

// From uses one client for the events of any account. [On] panics if it is nil.
func From(client *practice.Client) *Clients {
	if client == nil {
		return &Clients{}
	}
	return ByAccount(func(context.Context, string) (*practice.Client, error) { return client, nil })
}

// ByAccount uses the client that of returns for the account of the event. If of
// returns an error, it becomes the error of the handler; wrap it in
// [webhook.Permanent] if the account does not belong to this integration.
func ByAccount(of func(ctx context.Context, accountID string) (*practice.Client, error)) *Clients {
	return &Clients{of: of}
}

// ErrNoRecordID reports a payload without the id of its record. It is permanent.
var ErrNoRecordID = errors.New("fetch: the payload does not contain the id of its record")

// ErrStale reports that the record does not show the event's change yet. The
// message is retried later.
var ErrStale = errors.New("fetch: the record does not show the event's change yet")

// On registers a handler like [webhook.On] for the events of a type, but reads
// the record first. R is the type that the operation of the event type returns:
// the type of its payloads, or [models.Matter] for events of matters. On panics
// for an event type without such an operation (see [Readable]), for any other R
// and for a nil argument.
//
// The read uses the context of the handler. If the read fails, its error
// becomes the error of the handler and wraps the client's error.
func On[R, P any](r *webhook.Receiver, clients *Clients, eventType models.EventOf[P], handle func(context.Context, *Event[R]) error) {
	src, ok := sourceOf(eventType.Type())
	read, fits := src.(source[R])
	switch {
	case clients == nil || clients.of == nil || handle == nil:
		panic("fetch: the arguments must not be nil")
	case !ok:
		panic(fmt.Sprintf("fetch: no operation reads the record of the event type %q", eventType))
	case !fits:
		panic(fmt.Sprintf("fetch: the record of the event type %q is of type %s", eventType, src.record()))
	}
	l := loader[R]{source: read, clients: clients}
	webhook.On(r, eventType.Type().Raw(), func(ctx context.Context, n *webhook.Event[json.RawMessage]) error {
		e, err := l.event(ctx, n)
		if err != nil {
			return fmt.Errorf("fetch: cannot read the record of a %s event: %w", n.Type, err)
		}
		return handle(ctx, e)
	})
}

// Readable reports whether an operation reads the record of an event type.
func Readable(eventType models.EventType) bool {
	_, ok := sourceOf(eventType)
	return ok
}
