package webhook

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/underway"
	"github.com/practicesdk/practice-go/models"
)

// Tracker reports whether a write that the service accepted and executes later
// has failed. The service sends an error event with the RequestId of a failed
// write, and no event for a successful one, so the Tracker does not report
// success.
//
// Register the id before the write is sent, send the write with it, and wait
// with [practice.Await], which ends when the change is visible or the Tracker
// knows of a failure:
//
//	id := signer.NewRequestID()
//	err := tracker.Register(ctx, id)
//	_, err = client.Fees.Patch(ctx, matterID, feeID, patch, practice.WithRequestID(id))
//
// A receiver with [WithTracker] records the failures, in another process
// through a shared store. The subscription must include the type error. A store
// that has not responded after [DefaultStoreTimeout] counts as failed
// ([ErrStore]). The case of a RequestId does not matter. Tracker is safe for
// concurrent use.
type Tracker struct {
	store TrackerStore
	calls underway.Count // running calls of the store
}

// NewTracker returns a Tracker. A nil store is a [ConfigError].
func NewTracker(store TrackerStore) (*Tracker, error) {
	if store == nil {
		return nil, &ConfigError{"store", notNil}
	}
	return &Tracker{store: store}, nil
}

// ErrEmptyRequestID reports a write that cannot be tracked because it has no
// RequestId.
var ErrEmptyRequestID = errors.New("webhook: the request id is empty")

// Register starts tracking a write. Call it before the write is sent: failures
// of unregistered ids are not recorded.
func (t *Tracker) Register(ctx context.Context, requestID string) error {
	if requestID == "" {
		return ErrEmptyRequestID
	}
	_, err := limited(ctx, t, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, t.store.Register(ctx, trackerKey(requestID))
	})
	return err
}

// Feed records the failure of the write with its RequestID. It is for programs
// without a [Receiver]. A failure without a RequestID is ignored.
func (t *Tracker) Feed(ctx context.Context, failure WriteError) error {
	if failure.RequestID == "" {
		return nil
	}
	key := trackerKey(failure.RequestID)
	failure.RequestID = "" // it may be any text, and Failure knows it
	for _, text := range []*string{&failure.Message, &failure.ResourceName, &failure.ResourceID} {
		*text = shortened(*text)
	}
	return t.store.Record(ctx, key, failure)
}

// Failure returns a *[WriteError] if an error event of the write has arrived,
// nil if none has, and otherwise the error of the store. A write that was not
// registered, or that the store has forgotten, is [ErrNotTracked].
func (t *Tracker) Failure(ctx context.Context, requestID string) error {
	failure, err := limited(ctx, t, func(ctx context.Context) (*WriteError, error) { return t.store.Load(ctx, trackerKey(requestID)) })
	if err != nil || failure == nil {
		return err
	}
	known := *failure
	known.RequestID = requestID
	return &known
}

func (t *Tracker) feed(ctx context.Context, d *delivery) error {
	var p models.ErrorPayload
	// A payload of another form still reports a failed write.
	_ = codec.Unmarshal(d.notification.payload, &p, models.Wire)
	return t.Feed(ctx, WriteError{
		RequestID: d.requestID, Message: p.Message, ResourceName: p.ResourceName, ResourceID: p.ResourceID, At: d.received,
	})
}

// WriteError reports a write that failed after the service had accepted it. Its
// strings are truncated to 4,096 bytes. It is only as reliable as the event,
// whose payload is not signed.
type WriteError struct {
	RequestID    string    // RequestId of the write; a [TrackerStore] need not store it
	Message      string    // description of the failure; empty when absent
	ResourceName string    // type of the written record; empty when absent
	ResourceID   string    // id of the written record; empty when absent
	At           time.Time // time at which the event was received, by the clock of the receiver
}

// Error returns the message of the service.
func (e *WriteError) Error() string {
	text := "webhook: the write " + e.RequestID + " failed after it was accepted"
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// longestFailure is the maximum length of each text of a failure, in bytes.
const longestFailure = 4 << 10

func shortened(text string) string {
	if len(text) <= longestFailure {
		return text
	}
	return strings.ToValidUTF8(text[:longestFailure], "")
}

// trackerKey returns the key of a request id. It is a hash, because the id may
// be any text. Like package requestid, it ignores the case of the id.
func trackerKey(requestID string) string { return hexDigest([]byte(strings.ToLower(requestID))) }
