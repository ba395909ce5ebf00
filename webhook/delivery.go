package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
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

// readBody reads the body, up to one byte more than allowed: that byte shows that it is too large.
func (d *delivery) readBody(ctx context.Context, body io.Reader, limit int64) error {
	if body == nil {
		return nil
	}
	var err error
	if d.body, err = io.ReadAll(io.LimitReader(body, limit+1)); err == nil {
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
	if err := codec.Unmarshal(d.body, &d.notification); err != nil {
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
