package objectstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/redact"
)

// Remote is a client of an external object store. Like the service's clients,
// it uses pre-signed addresses.
type Remote struct {
	Sign   func(method, key string) (address string, err error)
	Client *http.Client
}

// Stat holds the properties of an object in a [Remote].
type Stat struct {
	Found   bool
	Size    int64
	Written time.Time // zero if the store does not report it

	body []byte
}

// Put stores an object.
func (o *Remote) Put(ctx context.Context, key string, body []byte) error {
	_, err := o.exchange(ctx, http.MethodPut, key, body)
	return err
}

// Get returns the content of an object.
func (o *Remote) Get(ctx context.Context, key string) ([]byte, error) {
	found, err := o.exchange(ctx, http.MethodGet, key, nil)
	return found.body, err
}

// Stat returns the properties of an object. It is no error if the object does
// not exist.
func (o *Remote) Stat(ctx context.Context, key string) (Stat, error) {
	found, err := o.exchange(ctx, http.MethodHead, key, nil)
	if err == nil && found.Found && found.Size < 0 {
		err = errors.New("the size of the object is unknown")
	}
	return found, err
}

// exchange sends a request to a pre-signed address. A response other than 200
// is an error, except for 404 to HEAD.
func (o *Remote) exchange(ctx context.Context, method, key string, body []byte) (Stat, error) {
	address, err := o.Sign(method, key)
	if err != nil {
		return Stat{}, err
	}
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return Stat{}, redact.Address(err)
	}
	answer, err := o.Client.Do(request)
	if err != nil {
		return Stat{}, redact.Address(err)
	}
	defer func() { _ = answer.Body.Close() }() // the body was read completely
	got, err := io.ReadAll(answer.Body)
	switch {
	case method == http.MethodHead && answer.StatusCode == http.StatusNotFound:
		return Stat{}, nil
	case answer.StatusCode != http.StatusOK:
		return Stat{}, fmt.Errorf("%s returned %s", method, answer.Status)
	}
	written, _ := http.ParseTime(answer.Header.Get("Last-Modified")) // if it is missing, versions are ordered by the creation of their addresses
	return Stat{Found: true, Size: answer.ContentLength, Written: written, body: got}, err
}
