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

// delivery holds what is known of one request of the service.
type delivery struct {
	mu           sync.Mutex // held while it is decoded
	verified     Verified
	requestID    string
	body         []byte
	notification notification
	received     time.Time
	attempt      int           // from 1, of a message from a queue; 0 within the request
	last         bool          // no attempt follows this one of a message from a queue
	dead         bool          // it was the last attempt
	places       chan struct{} // where it has a place; nil when it has none

	share *share                  // of the stores that are asked before its handlers; nil when nobody waits for an answer
	notes []func(context.Context) // that the stores are yet to get

	// Only known after identify.
	identity string
	record   string   // see resourceKey; empty when the event has none
	position Position // zero when the event cannot be ordered
	order    Order
}

// enter takes a place for the delivery, and reports whether there was one.
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

// leave frees its place, once.
func (d *delivery) leave() {
	if d.places != nil {
		<-d.places
		d.places = nil
	}
}

var errNoType = errors.New("it has no type")

// maxExpected bounds the memory for a body by its announced length, in bytes.
const maxExpected = 16 << 10

// readBody reads the body, up to one byte more than is allowed.
func (d *delivery) readBody(ctx context.Context, req *http.Request, limit int64) error {
	if req.Body == nil {
		return nil
	}
	// One more byte shows the end of a body of the announced length.
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
	switch {
	case int64(len(d.body)) > limit:
		return ErrBodyTooLarge
	case err != nil:
		return fmt.Errorf("%w: %w", ErrBodyUnreadable, err)
	default:
		return nil
	}
}

func (d *delivery) decode() error {
	d.mu.Lock() // the request may end meanwhile, and report what is known
	defer d.mu.Unlock()
	text := bytes.TrimPrefix(d.body, []byte("\xef\xbb\xbf")) // a byte order mark has no meaning
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

// notification is the body of a delivery. Other than models.Notification it
// takes a payload of any kind, because the payloads of most events are not
// specified, and other members in any form: only the type is needed to dispatch
// an event, and a refused delivery may never come again.
type notification struct {
	accountID      string
	userID         string
	subscriptionID string
	kind           models.EventType
	source         string
	timestamp      models.Ticks
	payload        json.RawMessage // nil when it is missing or null
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

// textOf reads a text, or a number as it is written; any other value is empty.
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

// ticksOf reads the time of an event, as ticks or in RFC 3339, or returns 0.
func ticksOf(text string) models.Ticks {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return models.Ticks(max(n, 0))
	}
	if number, _, err := big.ParseFloat(text, 10, 64, big.ToZero); err == nil { // 64 bits hold all ticks
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
