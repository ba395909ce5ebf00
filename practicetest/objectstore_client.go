package practicetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// outsideStore is an object store that is not the embedded one, as the service
// itself uses it: through the same addresses as everybody.
type outsideStore struct {
	sign   func(method, key string) (string, error)
	client *http.Client
}

// outsideObject is what the store says of an object.
type outsideObject struct {
	ok      bool
	size    int64
	written time.Time // zero when the store does not say it
	body    []byte
}

func (s *Server) newOutsideStore() *outsideStore {
	if s.cfg.sign == nil {
		return nil
	}
	return &outsideStore{client: s.HTTPClient(), sign: func(method, key string) (string, error) {
		address, _, err := s.address(s.clock.Now().UTC(), method, key, "")
		return address, err
	}}
}

func (o *outsideStore) put(ctx context.Context, key string, body []byte) error {
	_, err := o.exchange(ctx, http.MethodPut, key, body)
	return err
}

func (o *outsideStore) get(ctx context.Context, key string) ([]byte, error) {
	found, err := o.exchange(ctx, http.MethodGet, key, nil)
	return found.body, err
}

func (o *outsideStore) stat(ctx context.Context, key string) (outsideObject, error) {
	found, err := o.exchange(ctx, http.MethodHead, key, nil)
	if err == nil && found.ok && found.size < 0 {
		err = errors.New("an object of unknown length")
	}
	return found, err
}

// exchange sends a request to an address made for it. Only HEAD may find nothing.
func (o *outsideStore) exchange(ctx context.Context, method, key string, body []byte) (outsideObject, error) {
	address, err := o.sign(method, key)
	if err != nil {
		return outsideObject{}, err
	}
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return outsideObject{}, withoutAddress(err)
	}
	answer, err := o.client.Do(request)
	if err != nil {
		return outsideObject{}, withoutAddress(err)
	}
	defer func() { _ = answer.Body.Close() }() // it was read
	got, err := io.ReadAll(answer.Body)
	switch {
	case method == http.MethodHead && answer.StatusCode == http.StatusNotFound:
		return outsideObject{}, nil
	case answer.StatusCode != http.StatusOK:
		return outsideObject{}, fmt.Errorf("%s is answered with %s", method, answer.Status)
	}
	written, _ := http.ParseTime(answer.Header.Get("Last-Modified")) // without it the order of the addresses counts
	return outsideObject{ok: true, size: answer.ContentLength, written: written, body: got}, err
}

// withoutAddress drops the wrapper that repeats the signed address.
func withoutAddress(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}
