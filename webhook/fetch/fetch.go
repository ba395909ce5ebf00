// Package fetch hands the handlers of webhooks the record of an event, read
// from the service. The payload of a notification is not signed and may be old;
// the record is neither.
//
//	fetch.On(receiver, fetch.From(client), models.EventTypeContactUpdated,
//		func(ctx context.Context, e *fetch.Event[models.Contact]) error {
//			if e.Gone() {
//				return forget(ctx, e.ID)
//			}
//			return store(ctx, e.Record)
//		})
//
// An event costs one request. Handlers with the same [Clients] that need a
// record at the same time share a read, and a read of the last second is used
// again when it shows the change of the event. With a queue
// ([webhook.WithQueue]) a failed read is tried again like a failed handler.
//
// An event may overtake its record. A record that does not exist although the
// event is no deletion, that still exists although it is one, or that was last
// updated before the event, is read again a few times, over some seconds,
// before it counts: in a queue the event is put off with [ErrNotYet], and
// within a request, and at the last attempt of a queue, the handler waits.
// Records without a time of their last update, such as matters, show no age.
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
	// Record is the record as the service returned it, at most a second ago,
	// with changes that are newer than the event. Nil when the service has no
	// such record, or not any more. Handlers that share a read share what the
	// record points to, such as its lists, and must not change that.
	Record *R
	// ID is the id of the record; of a firm, and of what a matter has once,
	// such as its roles, that of the payload.
	ID string
	// MatterID is the matter of a record whose address has one, or empty.
	MatterID string
	// Notification is the event as it came. Its payload is not signed. Its
	// Identity is the key for an effect that must happen exactly once.
	Notification *webhook.Event[json.RawMessage]
}

// Gone reports whether the service answered that there is no such record (404).
// A record that it keeps and marks as deleted is not gone.
func (e *Event[R]) Gone() bool { return e.Record == nil }

// Clients finds the client of an account, and joins the reads of the handlers
// that are registered with it; see [From] and [ByAccount].
type Clients struct {
	of    func(ctx context.Context, accountID string) (*practice.Client, error)
	reads reads
}

// From uses one client for the events of any account.
func From(client *practice.Client) *Clients {
	return ByAccount(func(context.Context, string) (*practice.Client, error) { return client, nil })
}

// ByAccount uses the client that of returns for an account. Its error is that
// of the handler; mark it with [webhook.Permanent] for an account that is none
// of this integration's.
func ByAccount(of func(ctx context.Context, accountID string) (*practice.Client, error)) *Clients {
	return &Clients{of: of}
}

// ErrNoID reports a payload that does not name its record. It is permanent.
var ErrNoID = errors.New("fetch: the payload does not name its record")

// ErrNotYet reports a record that does not show its event yet. It is put off.
var ErrNotYet = errors.New("fetch: the service does not show the change of the event yet")

// On registers a handler like [webhook.On] for the events of a type, but reads
// the record first. R is the type that the operation of the event type returns:
// that of its payloads, and [models.Matter] for events of matters. An event
// type without such an operation (see [Readable]), another R and a nil argument
// panic.
//
// The read has the context of the handler. Its error is that of the handler,
// and wraps the error of the client.
func On[R, P any](r *webhook.Receiver, clients *Clients, eventType models.EventOf[P], handle func(context.Context, *Event[R]) error) {
	src, ok := sourceOf(eventType.Type())
	read, fits := src.(source[R])
	switch {
	case clients == nil || clients.of == nil || handle == nil:
		panic("fetch: nil argument")
	case !ok:
		panic(fmt.Sprintf("fetch: no operation reads the record of %q", eventType))
	case !fits:
		panic(fmt.Sprintf("fetch: the record of %q is a %s", eventType, src.record()))
	}
	l := loader[R]{source: read, clients: clients}
	webhook.On(r, eventType.Type().Raw(), func(ctx context.Context, n *webhook.Event[json.RawMessage]) error {
		e, err := l.event(ctx, n)
		if err != nil {
			return fmt.Errorf("fetch: the record of %s: %w", n.Type, err)
		}
		return handle(ctx, e)
	})
}

// Readable reports whether an operation reads the record of an event type.
func Readable(eventType models.EventType) bool {
	_, ok := sourceOf(eventType)
	return ok
}
