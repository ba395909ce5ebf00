package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// loader reads the records of the events of one type.
type loader[R any] struct {
	source  source[R]
	clients *Clients
	missing unshown // reads that did not find the record
	stale   unshown // reads that found a record older than the event
}

// event reads the record of a notification, and retries while the record is
// older than the event.
func (l *loader[R]) event(ctx context.Context, n *webhook.Event[json.RawMessage]) (*Event[R], error) {
	at, ok := l.source.placeOf(n)
	if !ok {
		return nil, webhook.Permanent(ErrNoRecordID)
	}
	client, err := l.clients.of(ctx, n.AccountID)
	if err == nil && client == nil {
		err = fmt.Errorf("fetch: the function passed to ByAccount returned no client for the account %q", n.AccountID)
	}
	if err != nil {
		return nil, err
	}
	record, err := l.settled(ctx, n, address{client, l.source.record(), at})
	if _, bad := errors.AsType[*practice.ArgumentError](err); bad { // the id is invalid in a path
		return nil, webhook.Permanent(fmt.Errorf("%w: %w", ErrNoRecordID, err))
	}
	if err != nil {
		return nil, err
	}
	e := &Event[R]{Record: record, ID: at.id, Notification: n}
	if l.source.needsMatter {
		e.MatterID = at.matter
	}
	return e, nil
}

// waits returns the waits before the reads that follow a record older than its
// event. The result of the last read is used as it is.
func waits() []time.Duration {
	return []time.Duration{100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second}
}

// settled reads a record until it is as new as its event, or until all waits
// have passed between reads that did not show the event's change. An attempt
// that failed for another reason uses up no wait.
func (l *loader[R]) settled(ctx context.Context, n *webhook.Event[json.RawMessage], at address) (*R, error) {
	want := changeOf(n)
	get := func(ctx context.Context) (*R, error) {
		record, err := l.source.get(ctx, at.client, at.place)
		if errors.Is(err, practice.ErrNotFound) {
			return nil, nil //nolint:nilnil // the service has no such record
		}
		return record, err
	}
	good := func(record *R) bool {
		shown, _ := want.compare(stateOf(record))
		return shown
	}
	event := n.Identity()
	for {
		// A queue that ends hands messages out before their time.
		if err := backoff.Sleep(ctx, max(l.missing.wait(event), l.stale.wait(event))); err != nil {
			return nil, err
		}
		record, err := read(ctx, &l.clients.reads, at, get, good)
		if shown, known := want.compare(stateOf(record)); err != nil || shown || !known {
			return record, err
		}
		seen, needed := &l.stale, 4 // of the time that is left, the handler keeps most
		if record == nil {
			seen, needed = &l.missing, 1
		}
		reads := seen.again(event)
		if reads >= len(waits()) {
			return record, nil
		}
		wait := waits()[reads]
		if n.Attempt > 0 && !n.LastAttempt {
			return nil, webhook.RetryAfter(ErrStale, wait)
		}
		end, limited := ctx.Deadline()
		switch tooLate := limited && time.Until(end) < time.Duration(needed)*wait; {
		case tooLate && record == nil:
			return nil, ErrStale
		case tooLate:
			return record, nil
		}
	}
}
