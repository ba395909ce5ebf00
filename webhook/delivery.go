package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// delivery holds the state of one request of the service.
type delivery struct {
	mu           sync.Mutex // held while the body is decoded
	verified     Verified
	requestID    string
	body         []byte
	notification notification
	received     time.Time
	attempt      int           // number of the attempt from a queue, from 1; 0 within the request
	last         bool          // this attempt from a queue is the last
	dead         bool          // the message became a dead letter
	places       chan struct{} // semaphore in which the delivery occupies a slot; nil if it occupies none

	share *share                // time left for the stores before the handlers; nil for a message from a queue
	note  func(context.Context) // notifies the Deduplicator of the result of a request; nil if it need not be

	// Set by identify.
	identity string
	record   string // see resourceKey; empty when the event has none
}

// enter acquires a slot for the delivery and reports whether one was free.
func (d *delivery) enter(places chan struct{}) bool {
	if places == nil {
		return true
	}
	select {
	case places <- struct{}{}:
		d.places = places
		return true
	default:
		return false
	}
}

// leave releases the slot, if the delivery holds one.
func (d *delivery) leave() {
	if d.places != nil {
		<-d.places
		d.places = nil
	}
}

var errNoType = errors.New("the notification has no type")

// maxExpected limits the buffer that is allocated for a body because of its
// Content-Length, in bytes.
const maxExpected = 16 << 10

// readBody reads the body, at most one byte beyond the limit.
func (d *delivery) readBody(ctx context.Context, req *http.Request, limit int64) error {
	if req.Body == nil {
		return nil
	}
	// The extra byte lets Read return io.EOF without another allocation.
	d.body = make([]byte, 0, min(max(req.ContentLength, 0), limit, maxExpected)+1)
	var err error
	for err == nil && ctx.Err() == nil && int64(len(d.body)) <= limit {
		d.body = slices.Grow(d.body, 1)
		var n int
		n, err = req.Body.Read(d.body[len(d.body):min(int64(cap(d.body)), limit+1)])
		d.body = d.body[:len(d.body)+n]
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = ctx.Err()
	}
	_, outside := errors.AsType[*http.MaxBytesError](err) // of http.MaxBytesHandler
	switch {
	case outside || int64(len(d.body)) > limit:
		return ErrBodyTooLarge
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBodyUnreadable, err)
	default:
		return nil
	}
}

func (d *delivery) decode() error {
	d.mu.Lock() // the deadline may end the request meanwhile and report these fields
	defer d.mu.Unlock()
	text := bytes.TrimPrefix(d.body, []byte("\xef\xbb\xbf")) // ignore a byte order mark
	if err := codec.Unmarshal(text, &d.notification, models.Wire); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if d.notification.kind == "" {
		return fmt.Errorf("%w: %w", ErrMalformed, errNoType)
	}
	if d.requestID == "" {
		d.requestID = d.notification.requestID
	}
	return nil
}

// notification is the body of a delivery. Unlike models.Notification it accepts
// any payload, because most payloads are not specified, and members of any JSON
// type. Only the event type is needed to dispatch an event, and the service may
// not send a refused delivery again.
type notification struct {
	accountID      string
	userID         string
	subscriptionID string
	kind           models.EventType
	source         string
	timestamp      models.Ticks
	payload        json.RawMessage // nil if missing or null
	requestID      string
}

// UnmarshalJSONFrom reads the notification from r.
func (n *notification) UnmarshalJSONFrom(r *codec.Reader) error {
	var err error
	m := r.Members([]string{
		"accountId", "userId", "subscriptionId", "type", "source", "timestamp", "payload", "requestId",
	})
	for err == nil && m.Next() {
		switch m.Index {
		case 0:
			err = textOf(&n.accountID, r)
		case 1:
			err = textOf(&n.userID, r)
		case 2:
			err = textOf(&n.subscriptionID, r)
		case 3:
			err = codec.Text(&n.kind, r)
		case 4:
			err = textOf(&n.source, r)
		case 5:
			var text string
			err = textOf(&text, r)
			n.timestamp = ticksOf(text)
		case 6:
			if !r.Null() {
				n.payload = bytes.Clone(r.Raw())
			}
		case 7:
			err = textOf(&n.requestID, r)
		}
	}
	_, err = m.End(err)
	return err
}

// textOf reads a string, or a number as written. For any other value it leaves
// dst empty.
func textOf(dst *string, r *codec.Reader) error {
	switch r.Kind() {
	case codec.KindText, codec.KindNull:
		return codec.Text(dst, r)
	case codec.KindNumber:
		*dst = string(r.Raw())
	default:
		r.Raw()
	}
	return r.Err()
}

// ticksOf parses the time of an event, in ticks or RFC 3339. It returns 0 for
// anything else.
func ticksOf(text string) models.Ticks {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return models.Ticks(max(n, 0))
	}
	if number, _, err := big.ParseFloat(text, 10, 64, big.ToZero); err == nil { // 64 bits of precision hold any number of ticks
		if n, is := number.Int64(); is == big.Exact {
			return models.Ticks(max(n, 0))
		}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if at, err := time.Parse(layout, text); err == nil {
			ticks, err := models.TicksOf(at)
			if err == nil {
				return ticks
			}
		}
	}
	return 0
}
