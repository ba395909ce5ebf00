package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// version is a content in the fake storage.
type version struct{ content, etag string }

// fakeStorage holds one object in memory and records its requests. Each fault
// applies to one exchange, in order; nil means success.
type fakeStorage struct {
	mu      sync.Mutex
	now     version
	faults  []fault
	gets    []storage.Part
	puts    []string // addresses of uploads
	open    int      // responses not closed yet
	stored  string
	tag     string // entity tag in the response to an upload
	noSize  bool   // responses have neither a length nor a size
	closes  bool   // as noSize, except for ranges, and each response ends with the connection
	ignores bool   // ignores the requested version
	wholes  bool   // ignores ranges and sends the whole content
	star    bool   // as noSize, and a range does not report the total size
	tags    bool   // a range has the entity tag of its first byte, and not that of the content
}

// fault changes the outcome of one exchange.
type fault struct {
	err     error // returned in place of a response
	after   int   // bytes that arrive before the connection breaks; -1: all
	hangsUp bool  // the connection is closed instead of broken
	ends    bool  // the response is a shorter range, with a matching Content-Range
}

var (
	errReset = errors.New("connection reset")
	refused  = &storage.StatusError{Status: 403, Code: "AccessDenied"}
	busy     = &storage.StatusError{Status: 503}
	missing  = &storage.StatusError{Status: 404}
)

func (s *fakeStorage) next() (f fault, faulty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return fault{}, false
	}
	f, s.faults = s.faults[0], s.faults[1:]
	return f, true
}

func (s *fakeStorage) publish(v version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = v
}

// faulty replaces the remaining faults.
func (s *fakeStorage) faulty(faults ...fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

func (s *fakeStorage) asked() []storage.Part {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]storage.Part(nil), s.gets...)
}

func (s *fakeStorage) stillOpen() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

func (s *fakeStorage) Get(_ context.Context, _ storage.Target, part storage.Part) (*storage.Object, error) {
	f, faulty := s.next()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets = append(s.gets, part)
	switch {
	case faulty && f.err != nil:
		return nil, f.err
	case part.ETag != "" && part.ETag != s.now.etag && !s.ignores:
		return nil, &storage.StatusError{Status: 412}
	}
	to := len(s.now.content)
	if s.wholes {
		part.From, part.To = 0, 0
	}
	if (part.From > 0 || part.To > 0) && part.From >= int64(to) {
		return nil, &storage.StatusError{Status: 416}
	}
	if part.To > 0 {
		to = min(to, int(part.To))
	}
	if faulty && f.ends {
		to = min(to, int(part.From)+f.after)
	}
	body := io.Reader(strings.NewReader(s.now.content[part.From:to]))
	switch {
	case faulty && f.after >= 0 && f.hangsUp:
		body = io.LimitReader(body, int64(f.after))
	case faulty && f.after >= 0:
		body = io.MultiReader(io.LimitReader(body, int64(f.after)), &failingReader{errReset})
	}
	o := &storage.Object{
		Body: s.opened(body), Offset: part.From, Length: int64(to) - part.From,
		Size: int64(len(s.now.content)), ETag: s.now.etag,
	}
	if s.tags && (part.From > 0 || part.To > 0) {
		o.ETag = fmt.Sprint("part ", part.From)
	}
	s.withhold(o, part)
	return o, nil
}

// opened counts a response as open until it is closed.
func (s *fakeStorage) opened(body io.Reader) io.ReadCloser {
	s.open++
	return &answerBody{body, sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
	})}
}

type answerBody struct {
	io.Reader
	closed func()
}

func (b *answerBody) Close() error {
	b.closed()
	return nil
}

// withhold removes from a response what the storage does not report.
func (s *fakeStorage) withhold(o *storage.Object, part storage.Part) {
	switch {
	case s.star && (part.From > 0 || part.To > 0):
		o.Size, o.Unconfirmed = -1, true
	case s.noSize, s.star, s.closes && part.To == 0:
		o.Length, o.Size, o.Unconfirmed = -1, -1, s.closes
	}
}

func (s *fakeStorage) Put(_ context.Context, to storage.Target, body io.Reader, _ int64) (etag string, err error) {
	f, faulty := s.next()
	var data bytes.Buffer
	if faulty && f.after >= 0 {
		body = io.LimitReader(body, int64(f.after))
	}
	_, err = data.ReadFrom(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.puts = append(s.puts, to.Address)
	if faulty && f.err != nil {
		err = f.err
	}
	*to.Status = answeredWith(err)
	if err == nil {
		s.stored, etag = data.String(), s.tag
	}
	return etag, err
}

// answeredWith returns the HTTP status for this outcome of an exchange; 0: no
// response.
func answeredWith(err error) int {
	said, ok := errors.AsType[*storage.StatusError](err)
	switch {
	case err == nil:
		return http.StatusOK
	case ok:
		return said.Status
	default:
		return 0
	}
}

type failingReader struct{ err error }

func (r *failingReader) Read([]byte) (int, error) { return 0, r.err }

// service returns numbered addresses.
type service struct {
	mu      sync.Mutex
	located int
	size    int64
	err     error // error of every further Locate
}

func (s *service) place() Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.located++
	return Place{Address: models.NewSecret("https://storage.test/" + strings.Repeat("i", s.located)), Size: s.size}
}

// announce changes the announced size of further places.
func (s *service) announce(size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size = int64(size)
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.located
}

// setting is a transfer between a fake storage and a fake service.
type setting struct {
	*fakeStorage
	service  *service
	transfer Transfer
}

// given returns a setting with a stored and announced content. There is no wait
// between attempts.
func given(v version, faults ...fault) *setting {
	s := &setting{fakeStorage: &fakeStorage{now: v, faults: faults}, service: &service{size: int64(len(v.content))}}
	s.transfer = Transfer{
		Storage: s.fakeStorage,
		Retries: transport.Retries{Max: 3},
		Locate: func(context.Context) (Place, *LocateError) {
			if located, ok := errors.AsType[*LocateError](s.service.err); ok {
				return Place{}, located
			} else if s.service.err != nil {
				return Place{}, &LocateError{Err: s.service.err}
			}
			return s.service.place(), nil
		},
	}
	return s
}

// object returns the content at a newly located place, read in one stream.
func (s *setting) object() *Object { return s.ranged(1, 1) }

func (s *setting) ranged(ranges int, size int64) *Object {
	return s.transfer.Object(s.service.place(), Options{Ranges: ranges, RangeSize: size})
}

// expired returns a place whose address has expired.
func expired() Place {
	return Place{Address: models.NewSecret("https://storage.test/expired"), Expiry: time.Now().Add(-time.Second), Size: -1}
}
