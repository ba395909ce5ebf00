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

// WithObjectStore keeps the content of files in an external object store, such
// as an S3-compatible store on loopback, instead of the embedded one. Clients
// receive the URLs that sign returns.
//
// The service itself uses such URLs too. When it starts, it uploads the content
// of the seeded files. The store does not notify it of uploads, so it queries
// the expected objects before it handles a request about documents. If the
// store cannot be reached, it responds to such a request with 503.
//
// Faults of "storage.put" and "storage.get", the checks of storage requests and
// [Server.StorageURL] apply to the embedded store only. An external store uses
// real time: it rejects the URLs of a server made with [WithVirtualClock], and
// it does not work inside a testing/synctest bubble. A service made by [New]
// can reach only a store on loopback.
func WithObjectStore(sign Presigner) Option {
	return func(c *config) { c.sign = sign }
}

// Presigner returns a pre-signed URL of an object store. It may be called
// concurrently. It should not block or use the network.
type Presigner func(PresignRequest) (address string, err error)

// PresignRequest describes a pre-signed URL. The URL allows one method on one
// object for a limited time.
type PresignRequest struct {
	Method string     // PUT, GET or HEAD
	Key    string     // name of the object; contains only 0-9, a-f, "-" and "/"
	Query  url.Values // query to sign and send: empty, or a response-content-disposition
	Issued time.Time  // start of validity by the service's clock, in whole seconds
	Expiry time.Time  // end of validity, in whole seconds; see [WithPresignedLifetime]
}

// address returns a pre-signed address in the embedded or external store, and
// its expiry. If disposition is not empty, a download has it as
// Content-Disposition.
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
		return "", expiry, refuse(http.StatusServiceUnavailable, "The object store returned no URL: %v.", err)
	}
	return address, expiry, nil
}

// moveSeeds moves the seeded content to the external store, if there is one.
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

// collectFor registers uploads to the external store before a request about
// documents is handled.
func (s *Server) collectFor(r *http.Request, c *call) error {
	if s.outside == nil || !strings.Contains(c.route.path, "/documents/") {
		return nil
	}
	if err := s.collect(r.Context(), c.value("fileId")); err != nil {
		return refuse(http.StatusServiceUnavailable, "The object store does not respond: %v.", err)
	}
	return nil
}

// collect queries the external store for uploads and adds them as versions of
// their files, in the order in which they were written. It also checks the
// known uploads of the file again, since an address can be used more than once.
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

// awaited returns the keys of the objects that may have been uploaded, in the
// order in which their addresses were issued.
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

// NewContent returns size pseudo-random bytes, which are determined by the
// seed, for tests with large files. The bytes are computed while they are read.
// The embedded object store recognises such content and does not keep it in
// memory, so a test can upload and download files of many GiB.
func NewContent(seed uint64, size int64) *io.SectionReader { return objectstore.NewContent(seed, size) }
