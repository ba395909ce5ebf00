package webhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// delivery is one request of the service, as far as it is known.
type delivery struct {
	verified     Verified
	requestID    string
	body         []byte
	notification notification
	received     time.Time
	attempt      int  // from 1, of a message from a queue; 0 within the request
	dead         bool // it was the last attempt

	// Only known after identify.
	identity string
	position Position // zero when the event cannot be ordered
	order    Order
}

var errNoType = errors.New("it has no type")

// maxExpected bounds the memory that a delivery gets for what it announces.
const maxExpected = 16 << 10

// readBody reads the body, up to one byte more than allowed: that byte shows that it is too large.
func (d *delivery) readBody(ctx context.Context, req *http.Request, limit int64) error {
	if req.Body == nil {
		return nil
	}
	var body bytes.Buffer
	body.Grow(int(min(max(req.ContentLength, 0), limit, maxExpected)) + bytes.MinRead)
	_, err := body.ReadFrom(io.LimitReader(req.Body, limit+1))
	if d.body = body.Bytes(); err == nil {
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
	if err := codec.Unmarshal(d.body, &d.notification, models.Wire); err != nil {
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

// notification is the body of a delivery. Other than models.Notification it takes a payload of any kind, because the
// payloads of most events are not specified.
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
			err = codec.Text(&n.accountID, r)
		case 1:
			err = codec.Text(&n.userID, r)
		case 2:
			err = codec.Text(&n.subscriptionID, r)
		case 3:
			err = codec.Text(&n.kind, r)
		case 4:
			err = codec.Text(&n.source, r)
		case 5:
			err = models.Wire.Read(&n.timestamp, r)
		case 6:
			if !r.Null() {
				n.payload = bytes.Clone(r.Raw())
			}
		case 7:
			err = codec.Text(&n.requestID, r)
		}
	}
	_, err = m.End(err)
	return err
}
