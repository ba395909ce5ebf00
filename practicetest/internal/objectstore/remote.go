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

// Remote is an object store elsewhere. The service uses it through pre-signed
// addresses, as its clients do.
type Remote struct {
	Sign   func(method, key string) (address string, err error)
	Client *http.Client
}

// Stat describes an object of a [Remote].
type Stat struct {
	Found   bool
	Size    int64
	Written time.Time // zero when the store does not report it

	body []byte
}

// Put stores an object.
func (o *Remote) Put(ctx context.Context, key string, body []byte) error {
	_, err := o.exchange(ctx, http.MethodPut, key, body)
	return err
}

// Get returns the bytes of an object.
func (o *Remote) Get(ctx context.Context, key string) ([]byte, error) {
	found, err := o.exchange(ctx, http.MethodGet, key, nil)
	return found.body, err
}

// Stat describes an object, which need not exist.
func (o *Remote) Stat(ctx context.Context, key string) (Stat, error) {
	found, err := o.exchange(ctx, http.MethodHead, key, nil)
	if err == nil && found.Found && found.Size < 0 {
		err = errors.New("an object of unknown length")
	}
	return found, err
}

// exchange sends a request to an address made for it. Only HEAD may find
// nothing.
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
	defer func() { _ = answer.Body.Close() }() // it was read
	got, err := io.ReadAll(answer.Body)
	switch {
	case method == http.MethodHead && answer.StatusCode == http.StatusNotFound:
		return Stat{}, nil
	case answer.StatusCode != http.StatusOK:
		return Stat{}, fmt.Errorf("%s is answered with %s", method, answer.Status)
	}
	written, _ := http.ParseTime(answer.Header.Get("Last-Modified")) // without it the order of the addresses counts
	return Stat{Found: true, Size: answer.ContentLength, Written: written, body: got}, err
}
