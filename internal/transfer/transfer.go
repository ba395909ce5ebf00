// Package transfer moves the content of one file between the program and the
// object storage. It retries, asks the service for new addresses, continues
// after the last byte received, and reads several ranges at the same time. It
// knows no service and no credential: a Transfer says how an address is had.
package transfer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Storage exchanges bytes with pre-signed addresses. *storage.Client is one.
type Storage interface {
	Get(ctx context.Context, from storage.Target, part storage.Part) (*storage.Object, error)
	Put(ctx context.Context, to storage.Target, body io.Reader, size int64) (etag string, err error)
}

// Transfer says how the content of one file is moved. It is not changed once it
// is in use.
type Transfer struct {
	Storage Storage
	Retries transport.Retries
	Idle    time.Duration // limit of an exchange in which no byte moves; 0 means none
	// Locate asks the service for a new address. It returns a *LocateError to
	// tell more than that it failed.
	Locate func(ctx context.Context) (Place, error)
	// Watch is told of each exchange before it begins. The exchange gets the
	// context that it returns, and its end is told to done. Watch may be nil,
	// and so may done.
	Watch func(ctx context.Context, begun Exchange) (watched context.Context, done func(status int, ended transport.Attempt))
}

// Exchange is a request to the storage that begins.
type Exchange struct {
	Method  string
	Address models.Secret
	Number  int // from 1, for each series of attempts
}

// Place is where the content of a file is, or is to go.
type Place struct {
	Address models.Secret // pre-signed address; zero means none
	Expiry  time.Time     // of the address; zero means that the service does not say it
	Skew    time.Duration // of the service's clock against the local one, see Skew
	Size    int64         // of the content in bytes; -1 means that the service does not say it
}

// expiryMargin is how long an address must still be good for an exchange to
// begin: the Date header has whole seconds, and the request takes its time.
const expiryMargin = 2 * time.Second

// Skew compares the clock of the service with the local one. It is 0 when the
// answer names no time.
func Skew(answer http.Header) time.Duration {
	date, err := http.ParseTime(answer.Get("Date"))
	if err != nil {
		return 0
	}
	return time.Until(date)
}

// usable reports whether an exchange can begin now. The clock of the service
// decides.
func (p Place) usable() bool {
	if p.Address.IsZero() {
		return false
	}
	return p.Expiry.IsZero() || time.Now().Add(p.Skew+expiryMargin).Before(p.Expiry)
}

// locate asks for a new address.
func (t *Transfer) locate(ctx context.Context) (Place, error) {
	place, err := t.Locate(ctx)
	if err == nil {
		return place, nil
	}
	if _, ok := errors.AsType[*LocateError](err); !ok {
		err = &LocateError{Err: err}
	}
	return Place{}, err
}

// exchange is a request to the storage and who watches it. The next one of the
// same series uses it again. The zero value has not begun.
type exchange struct {
	number int
	status int // HTTP status of the answer; 0 when there is none
	done   func(status int, ended transport.Attempt)
}

// begin tells the watch of a request and prepares it.
func (e *exchange) begin(ctx context.Context, t *Transfer, method string, place Place) (context.Context, storage.Target) {
	e.status = 0
	if t.Watch != nil {
		e.number++
		ctx, e.done = t.Watch(ctx, Exchange{Method: method, Address: place.Address, Number: e.number})
	}
	return ctx, storage.Target{Address: place.Address.Reveal(), Idle: t.Idle, Status: &e.status}
}

// end tells the watch how the exchange went, once.
func (e *exchange) end(ended transport.Attempt) {
	if done := e.done; done != nil {
		e.done = nil
		done(e.status, ended)
	}
}
