// Package transfer transfers the content of a file between the program and the
// object storage. It retries, requests new URLs from the service, continues
// after the last byte received, and reads several ranges concurrently. It does
// not depend on the service or on credentials: a Transfer returns the URLs.
package transfer

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Storage exchanges bytes with pre-signed URLs. *storage.Client implements it.
type Storage interface {
	Get(ctx context.Context, from storage.Target, part storage.Part) (*storage.Object, error)
	Put(ctx context.Context, to storage.Target, body io.Reader, size int64) (etag string, err error)
}

// Transfer holds the settings for one file. It must not be modified after its
// first use.
type Transfer struct {
	Storage Storage
	Retries transport.Retries
	Idle    time.Duration // maximum time without any byte; 0 means no limit
	// Locate requests a new URL from the service.
	Locate func(ctx context.Context) (Place, *LocateError)
	// Watch is called before each exchange. It returns the context of the
	// exchange, and a function that is called at its end. If Watch or
	// the function is nil, it is not called.
	Watch func(ctx context.Context, begun Exchange) (watched context.Context, done func(status int, ended transport.Attempt))
}

// Exchange is a request to the storage.
type Exchange struct {
	Method  string
	Address models.Secret
	Number  int // number of the attempt in its series, from 1
}

// Place is the URL of a file's content, for download or upload.
type Place struct {
	Address models.Secret // pre-signed URL; zero means none
	Expiry  time.Time     // expiry of the URL; zero if the service did not send it
	Skew    time.Duration // service's clock minus the local one, see Skew
	Size    int64         // size of the content in bytes; -1 if the service did not send it
}

// expiryMargin is the minimum remaining validity of a URL when an exchange
// starts, because the Date header has a resolution of a second, and the request
// takes time.
const expiryMargin = 2 * time.Second

// Skew returns the difference between the service's clock and the local one, or
// 0 if the response has no Date.
func Skew(answer http.Header) time.Duration {
	date, err := http.ParseTime(answer.Get("Date"))
	if err != nil {
		return 0
	}
	return time.Until(date)
}

// usable reports whether an exchange can start now, by the service's clock.
func (p Place) usable() bool {
	return !p.Address.IsZero() && (p.Expiry.IsZero() || time.Now().Add(p.Skew+expiryMargin).Before(p.Expiry))
}

// exchange is a request to the storage with its observer. The next exchange of
// the same series reuses it. The zero value has not started.
type exchange struct {
	number int
	status int // HTTP status of the answer; 0 if there is none
	done   func(status int, ended transport.Attempt)
}

// begin notifies the observer of a request. It returns the context and the
// target of the request.
func (e *exchange) begin(ctx context.Context, t *Transfer, method string, place Place) (context.Context, storage.Target) {
	e.status = 0
	if t.Watch != nil {
		e.number++
		ctx, e.done = t.Watch(ctx, Exchange{Method: method, Address: place.Address, Number: e.number})
	}
	return ctx, storage.Target{Address: place.Address.Reveal(), Idle: t.Idle, Status: &e.status}
}

// end notifies the observer of the result, once.
func (e *exchange) end(ended transport.Attempt) {
	if done := e.done; done != nil {
		e.done = nil
		done(e.status, ended)
	}
}
