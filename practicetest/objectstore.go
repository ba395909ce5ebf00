package practicetest

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/objectstore"
)

// WithObjectStore keeps the content of files in an object store of your own,
// such as an S3-compatible store on loopback, instead of the embedded one.
// Clients receive the addresses that sign makes.
//
// The service itself uses such addresses too. It uploads the content of the
// seeded files when it starts. No store reports uploads to it, so it asks for
// the objects it expects before it answers a request about documents; it
// answers such a request with 503 while the store does not answer.
//
// Faults of "storage.put" and "storage.get", the strictness towards the storage
// and [Server.StorageURL] belong to the embedded store and do not affect
// another one. Such a store has the real time: it refuses the addresses of a
// server made [WithClock], and it does not work inside a testing/synctest
// bubble. A service made by [New] reaches a store on loopback only.
func WithObjectStore(sign Presigner) Option {
	return func(c *config) { c.sign = sign }
}

// Presigner returns a pre-signed address of an object store. It may be called
// concurrently. It should neither use the network nor wait.
type Presigner func(PresignRequest) (address string, err error)

// PresignRequest describes a pre-signed address: one method, on one object, for
// a limited time.
type PresignRequest struct {
	Method string     // PUT, GET or HEAD
	Key    string     // name of the object, of the characters 0-9, a-f, "-" and "/"
	Query  url.Values // to be sent and signed: none, or a response-content-disposition
	Issued time.Time  // when it begins, by the clock of the service, in whole seconds
	Expiry time.Time  // when it ends, in whole seconds; see [WithPresignedLifetime]
}

// address returns a pre-signed address for an object, wherever it lies, and its
// end. A download may be given a Content-Disposition.
func (s *Server) address(now time.Time, method, key, disposition string) (string, time.Time, error) {
	expiry := now.Add(s.cfg.presignedLifetime).Truncate(time.Second)
	if s.outside == nil {
		return s.store.Presign(method, key, expiry, s.StorageURL(), disposition), expiry, nil
	}
	wanted := PresignRequest{Method: method, Key: key, Issued: now.Truncate(time.Second), Expiry: expiry}
	if disposition != "" {
		wanted.Query = url.Values{objectstore.DispositionQuery: {disposition}}
	}
	address, err := s.cfg.sign(wanted)
	if err != nil {
		return "", expiry, refuse(http.StatusServiceUnavailable, "The object store gives no address: %v.", err)
	}
	return address, expiry, nil
}

// moveSeeds copies seeded content to the external store.
func (s *Server) moveSeeds(ctx context.Context) error {
	if s.outside == nil {
		return nil
	}
	for key, content := range s.store.Objects() {
		if err := s.outside.Put(ctx, key, content); err != nil {
			return err
		}
	}
	s.store.Forget()
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

// collect makes objects in the external store versions of their files, in the
// order of their arrival. It checks the uploads of a file again, since an
// address may be used twice.
func (s *Server) collect(ctx context.Context, again string) error {
	type arrival struct {
		key string
		objectstore.Stat
	}
	var arrived []arrival
	for _, key := range s.awaited(again) {
		found, err := s.outside.Stat(ctx, key)
		if err != nil {
			return err
		}
		if found.Found {
			arrived = append(arrived, arrival{key, found})
		}
	}
	slices.SortStableFunc(arrived, func(a, b arrival) int { return a.Written.Compare(b.Written) })
	for _, one := range arrived {
		s.storedOutside(one.key, one.Size)
	}
	return nil
}

// awaited returns the objects that may have arrived, ordered by the time of
// their address.
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

func (s *Server) newOutsideStore() *objectstore.Remote {
	if s.cfg.sign == nil {
		return nil
	}
	return &objectstore.Remote{Client: s.HTTPClient(), Sign: func(method, key string) (string, error) {
		address, _, err := s.address(s.clock.Now().UTC(), method, key, "")
		return address, err
	}}
}

// NewContent returns size bytes that look random and follow from the seed, for
// tests with large files. The bytes are computed as they are read. The storage
// of the embedded service recognises such content and does not keep it in
// memory, so a test can upload and download files of many GiB.
func NewContent(seed uint64, size int64) *io.SectionReader { return objectstore.NewContent(seed, size) }
