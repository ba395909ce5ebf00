package practicetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/redact"
)

// WithObjectStore keeps the content of all files in an object store of your own, such
// as an S3-compatible store on loopback, instead of the embedded one. Clients receive
// the addresses that sign makes.
//
// The service itself uses such addresses too. It uploads the content of the seeded
// files when it starts. No store reports uploads to it, so it asks for the objects it
// expects before it answers a request about documents; it answers such a request with
// 503 while the store does not answer.
//
// Faults of "storage.put" and "storage.get", the strictness towards the storage and
// [Server.StorageURL] belong to the embedded store and do not affect another one. Such
// a store has the real time: it refuses the addresses of a server made [WithClock],
// and it does not work inside a testing/synctest bubble. A service made by [New]
// reaches a store on loopback only.
func WithObjectStore(sign Presigner) Option {
	return func(c *config) { c.sign = sign }
}

// Presigner makes a pre-signed address at an object store. Several goroutines call it
// at once. It should neither use the network nor wait.
type Presigner func(PresignRequest) (address string, err error)

// PresignRequest describes a pre-signed address: one method, on one object, for a
// limited time.
type PresignRequest struct {
	Method string     // PUT, GET or HEAD
	Key    string     // name of the object, of the characters 0-9, a-f, "-" and "/"
	Query  url.Values // to be sent and signed: none, or a response-content-disposition
	Issued time.Time  // when it begins, by the clock of the service, in whole seconds
	Expiry time.Time  // when it ends, in whole seconds; see [WithPresignedLifetime]
}

// address is a pre-signed address for an object, wherever it lies, and its end. A
// download may be given a Content-Disposition.
func (s *Server) address(now time.Time, method, key, disposition string) (string, time.Time, error) {
	expiry := now.Add(s.cfg.presignedLifetime).Truncate(time.Second)
	if s.outside == nil {
		return s.store.presignAs(method, key, expiry, s.StorageURL(), disposition), expiry, nil
	}
	wanted := PresignRequest{Method: method, Key: key, Issued: now.Truncate(time.Second), Expiry: expiry}
	if disposition != "" {
		wanted.Query = url.Values{dispositionQuery: {disposition}}
	}
	address, err := s.cfg.sign(wanted)
	if err != nil {
		return "", expiry, refuse(http.StatusServiceUnavailable, "The object store gives no address: %v.", err)
	}
	return address, expiry, nil
}

// moveSeeds brings what was seeded to the store outside.
func (s *Server) moveSeeds(ctx context.Context) error {
	if s.outside == nil {
		return nil
	}
	for key, seeded := range s.store.objects {
		if err := s.outside.put(ctx, key, readAll(seeded.content)); err != nil {
			return err
		}
	}
	clear(s.store.objects)
	return nil
}

// collectFor collects before a request about documents is answered.
func (s *Server) collectFor(r *http.Request, c *call) error {
	if s.outside == nil || !strings.Contains(c.route.path, "/documents/") {
		return nil
	}
	if err := s.collect(r.Context(), c.value("fileId")); err != nil {
		return refuse(http.StatusServiceUnavailable, "The object store does not answer: %v.", err)
	}
	return nil
}

// collect makes what has arrived outside versions of their files, in the order of
// their arrival. The uploads of one file are looked at again: an address may be
// used twice.
func (s *Server) collect(ctx context.Context, again string) error {
	type arrival struct {
		key string
		outsideObject
	}
	var arrived []arrival
	for _, key := range s.awaited(again) {
		found, err := s.outside.stat(ctx, key)
		if err != nil {
			return err
		}
		if found.ok {
			arrived = append(arrived, arrival{key, found})
		}
	}
	slices.SortStableFunc(arrived, func(a, b arrival) int { return a.written.Compare(b.written) })
	for _, one := range arrived {
		s.storedOutside(one.key, one.size)
	}
	return nil
}

// awaited names the objects that may have arrived, the one whose address was given
// first at the beginning.
func (s *Server) awaited(again string) (keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, u := range s.uploads {
		if u.file == sameID(again) || !u.came {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return s.uploads[a].number - s.uploads[b].number })
	return keys
}

func (s *Server) storedOutside(key string, size int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.uploads[key]
	if !u.came || u.size != size {
		s.keep(key, size)
	}
}

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
		return outsideObject{}, redact.Address(err)
	}
	answer, err := o.client.Do(request)
	if err != nil {
		return outsideObject{}, redact.Address(err)
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
