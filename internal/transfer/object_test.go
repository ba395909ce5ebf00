package transfer

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
)

func TestAnAddressIsAskedForOnlyWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	o := s.object()
	for range 3 {
		_, err := o.CopyTo(t.Context(), new(discard))
		require.NoError(t, err)
	}
	assert.Equal(t, 1, s.service.count())
}

func TestOnlyOneOfManyReadersAsksForANewAddress(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	o := s.transfer.Object(expired(), Options{Ranges: 1})
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			_, err := o.CopyTo(t.Context(), new(discard))
			assert.NoError(t, err)
		})
	}
	readers.Wait()
	assert.Equal(t, 1, s.service.count())
}

func TestAnAddressThatWasRefusedTakesNoNewerOneWithIt(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	old := s.service.place()
	o := s.object()
	o.forget(old)
	_, err := o.CopyTo(t.Context(), new(discard))
	require.NoError(t, err)
	assert.Equal(t, 2, s.service.count(), "the newer one is used")
}

func TestWithoutAnyOptionAContentIsReadInOneStream(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"})
	got, err := intoFile(t, s.transfer.Object(s.service.place(), Options{}))
	require.NoError(t, err)
	assert.Equal(t, "0123456789", got)
	assert.Len(t, s.asked(), 1)
}

func TestAReaderDoesNotWaitForANewAddressLongerThanItsContext(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	o := s.transfer.Object(expired(), Options{Ranges: 1})
	o.renewing <- struct{}{} // another goroutine asks for it
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := o.locate(ctx)
	require.ErrorIs(t, err, context.Canceled)
	<-o.renewing
}

func TestEveryAnswerMustBeOfTheSameVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		answer storage.Object
		is     error // nil if it is accepted
	}{
		{"the same version", storage.Object{Size: 7, ETag: "v1"}, nil},
		{"the same version, without its size", storage.Object{Size: -1, ETag: "v1"}, nil},
		{"another version", storage.Object{Size: 7, ETag: "v2"}, ErrVersionChanged},
		{"no version", storage.Object{Size: 7}, storage.ErrAnswer},
		{"another size", storage.Object{Size: 8, ETag: "v1"}, ErrSizeMismatch},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := given(version{"content", "v1"})
			o := s.object()
			require.NoError(t, o.accept(unknown(), storage.Part{}, &storage.Object{Size: 7, ETag: "v1"}))
			require.ErrorIs(t, o.accept(unknown(), storage.Part{}, &test.answer), test.is)
		})
	}
}

func TestARefusalOfTheVersionThatIsReadIsAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		status  int
		part    storage.Part // range requested
		changed bool
	}{
		{"precondition", http.StatusPreconditionFailed, storage.Part{From: 3, ETag: "v1"}, true},
		{"precondition that nobody asked for", http.StatusPreconditionFailed, storage.Part{}, false},
		{"range in the middle", http.StatusRequestedRangeNotSatisfiable, storage.Part{From: 3, ETag: "v1"}, true},
		{"the whole of a version", http.StatusRequestedRangeNotSatisfiable, storage.Part{ETag: "v1"}, true},
		{"range behind the end of an unknown version", http.StatusRequestedRangeNotSatisfiable, storage.Part{From: 3}, true},
		{"range at the beginning of an unknown version, which is empty now", http.StatusRequestedRangeNotSatisfiable, storage.Part{To: 4}, true},
		{"range that nobody asked for", http.StatusRequestedRangeNotSatisfiable, storage.Part{}, false},
		{"another refusal", http.StatusForbidden, storage.Part{From: 3, ETag: "v1"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := given(version{"content", "v1"}).object()
			cause := &storage.StatusError{Status: test.status}
			err := o.refusal(expired(), test.part, cause)
			require.ErrorIs(t, err, cause)
			assert.Equal(t, test.changed, errors.Is(err, ErrVersionChanged))
		})
	}
}

func TestTheSizeIsMeasuredWhereTheServiceDoesNotSayIt(t *testing.T) {
	t.Parallel()
	s := given(version{"content", "v1"})
	s.service.size = -1
	r, err := s.object().Reader(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 7, r.Size())
	require.NoError(t, r.Close())
	assert.Len(t, s.asked(), 1)
}

// TestEveryAnswerOfTheStorageIsClosed checks for open bodies, which would keep
// their connections for the life of the process.
func TestEveryAnswerOfTheStorageIsClosed(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 10)
	for name, change := range map[string]func(*setting){
		"the content comes at once":               func(*setting) {},
		"the connection breaks":                   func(s *setting) { s.faults = []fault{{after: 4}, {err: busy}, {after: 3}} },
		"it breaks until nobody tries again":      func(s *setting) { s.faults = slices.Repeat([]fault{{after: 1}}, 50) },
		"the storage names no version":            func(s *setting) { s.now.etag = "" },
		"it breaks, and no version is named":      func(s *setting) { s.now.etag, s.faults = "", []fault{{after: 4}} },
		"nobody knows the size":                   func(s *setting) { s.service.size, s.noSize = -1, true },
		"only the storage knows the size":         func(s *setting) { s.service.size = -1 },
		"the end of the connection is the end":    func(s *setting) { s.service.size, s.closes = -1, true },
		"another size was announced":              func(s *setting) { s.service.size = 99 },
		"the storage service sent too many bytes": func(s *setting) { s.service.size, s.noSize = 99, true },
		"the content is empty":                    func(s *setting) { s.now.content, s.service.size = "", 0 },
	} {
		for way, read := range ways() {
			t.Run(name+"/"+way, func(t *testing.T) {
				t.Parallel()
				s := given(version{text, "v1"})
				change(s)
				_, _ = read(t, s.ranged(3, 10)) // it may fail
				assert.Zero(t, s.stillOpen())
			})
		}
	}
}

// TestContentIsJudgedByItsBeginning reads contents of which nobody knows the
// size, or only the service.
func TestContentIsJudgedByItsBeginning(t *testing.T) {
	t.Parallel()
	const document = `<?xml version="1.0"?><Error><Code>InternalError</Code><Message>m</Message></Error>`
	notThis := errors.New("it is not this")
	check := func(head []byte) error {
		if !strings.Contains(string(head), "%X") {
			return notThis
		}
		return nil
	}
	far := strings.Repeat(" ", headSize-1) + "%X" + strings.Repeat("x", 5000)
	for rule, test := range map[string]struct {
		content string
		check   func([]byte) error
		sized   bool
		is      error
		status  bool
	}{
		"an error document of a store": {content: document, status: true},
		"one of the announced size":    {content: document, sized: true},
		"another document":             {content: "<Report><Error/></Report>"},
		"a page":                       {content: "<html>a page</html>"},
		"nothing":                      {content: ""},
		"a long text":                  {content: strings.Repeat("text ", 100_000)},
		"content of its kind":          {content: "%X" + strings.Repeat("x", 5000), check: check},
		"content of its kind, of the announced size":      {content: "%X", check: check, sized: true},
		"content of its kind behind its first bytes":      {content: far[1:], check: check},
		"content of its kind too late":                    {content: far, check: check, is: notThis},
		"content of another kind":                         {content: "x", check: check, is: notThis},
		"content of another kind, of the announced size":  {content: "x", check: check, sized: true, is: notThis},
		"an error document in place of content of a kind": {content: document, check: check, status: true},
		"no content of that kind":                         {content: "", check: check, is: notThis},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := given(version{test.content, "v1"})
			if !test.sized {
				s.service.announce(-1)
			}
			s.transfer.Retries.Max = 1
			o := s.object()
			o.Options().Check = test.check
			root, dir := folder(t)
			var out bytes.Buffer
			_, err := o.CopyTo(t.Context(), &out)
			again := s.object()
			again.Options().Check = test.check
			_, fileErr := again.ToFile(t.Context(), root, "f", false)
			if test.is == nil && !test.status {
				require.NoError(t, err)
				require.NoError(t, fileErr)
				assert.Equal(t, test.content, out.String())
				return
			}
			for _, err := range []error{err, fileErr} {
				if test.status {
					refused, ok := errors.AsType[*storage.StatusError](err)
					require.True(t, ok, "%v", err)
					assert.Equal(t, "InternalError", refused.Code)
					continue
				}
				require.ErrorIs(t, err, test.is)
			}
			assert.Empty(t, out.String(), "nothing is written")
			assert.Empty(t, namesIn(t, dir))
			assert.Zero(t, s.stillOpen())
		})
	}
}
