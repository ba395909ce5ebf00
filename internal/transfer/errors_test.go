package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

func TestAFailureNamesItsCause(t *testing.T) {
	t.Parallel()
	hungUp := &url.Error{Op: "Get", URL: "https://storage.test", Err: io.EOF}
	for _, test := range []struct {
		name  string
		cause error
		is    error
	}{
		{"any cause", errReset, errReset},
		{"an end that is none is an unexpected one", hungUp, io.ErrUnexpectedEOF},
		{"a bad address", storage.ErrAddress, ErrStorageAddress},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			err := fail(test.cause, nil)
			require.ErrorIs(t, err, test.is)
			require.NotErrorIs(t, err, io.EOF, "readers take that for the end of the content")
		})
	}
	_, ok := errors.AsType[*url.Error](fail(hungUp, nil))
	assert.True(t, ok, "the cause can still be had")
}

func TestAFailureStaysTheFirstOne(t *testing.T) {
	t.Parallel()
	attempts := []transport.Attempt{{Number: 1}}
	first := fail(errReset, attempts)
	assert.Same(t, first, fail(fmt.Errorf("wrapped: %w", first), nil))
}

func TestAFurtherCauseIsAdded(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	require.ErrorIs(t, failAlso(nil, full), full)
	both := failAlso(fail(errReset, []transport.Attempt{{Number: 1}}), full)
	require.ErrorIs(t, both, full)
	require.ErrorIs(t, both, errReset)
	failure, ok := errors.AsType[*Error](both)
	require.True(t, ok)
	assert.Len(t, failure.Attempts, 1)
}

// The text of a failure does not judge an address that the service did not send,
// such as that of an invoice whose PDF does not exist yet.
func TestTheTextOfAMissingAddress(t *testing.T) {
	t.Parallel()
	s := given(version{"pdf", "v1"})
	s.transfer.Storage = &storage.Client{}
	s.transfer.Locate = func(context.Context) (Place, *LocateError) { return Place{Size: -1}, nil }
	_, err := s.transfer.Object(Place{Size: -1}, Options{}).CopyTo(t.Context(), io.Discard)
	require.ErrorIs(t, err, ErrStorageAddress)
	assert.EqualError(t, err, "the storage URL cannot be used: the service returned none, so the content may not exist yet")
}
