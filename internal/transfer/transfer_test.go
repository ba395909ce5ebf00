package transfer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

func TestAPlaceIsUsableUntilShortlyBeforeItsExpiry(t *testing.T) {
	t.Parallel()
	address := models.NewSecret("https://storage.test/a")
	for _, test := range []struct {
		name    string
		address models.Secret
		expires time.Duration // from now; 0: not reported
		skew    time.Duration
		usable  bool
	}{
		{"no address", models.Secret{}, 0, 0, false},
		{"no expiry", address, 0, 0, true},
		{"in time", address, time.Minute, 0, true},
		{"within the margin", address, expiryMargin, 0, false},
		{"just outside of the margin", address, expiryMargin + time.Millisecond, 0, true},
		{"past", address, -time.Second, 0, false},
		{"the service's clock is ahead", address, time.Minute, time.Minute, false},
		{"the service's clock is behind", address, -time.Second, -time.Minute, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				place := Place{Address: test.address, Skew: test.skew}
				if test.expires != 0 {
					place.Expiry = time.Now().Add(test.expires)
				}
				assert.Equal(t, test.usable, place.usable())
			})
		})
	}
}

func TestTheClockOfTheServiceIsReadFromItsAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ahead := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
		assert.Equal(t, time.Hour, Skew(http.Header{"Date": {ahead}}))
		assert.Zero(t, Skew(http.Header{}))
		assert.Zero(t, Skew(http.Header{"Date": {"noon"}}))
	})
}

// watched records an exchange as reported to Transfer.Watch.
type watched struct {
	begun  Exchange
	status int
	ended  transport.Attempt
}

func TestAWatchIsToldOfEachExchangeOnce(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{err: refused}, fault{after: 4})
	var told []watched
	s.transfer.Watch = func(ctx context.Context, begun Exchange) (context.Context, func(int, transport.Attempt)) {
		return ctx, func(status int, ended transport.Attempt) { told = append(told, watched{begun, status, ended}) }
	}
	n, err := s.object().CopyTo(t.Context(), new(discard))
	require.NoError(t, err)
	assert.EqualValues(t, 10, n)
	require.Len(t, told, 3)
	for i, exchange := range told {
		assert.Equal(t, i+1, exchange.begun.Number)
		assert.Equal(t, http.MethodGet, exchange.begun.Method)
	}
	assert.NotEqual(t, told[0].begun.Address, told[1].begun.Address, "a refused address is not used again")
	assert.Equal(t, "the storage URL was rejected; retrying with a new one", told[0].ended.Reason)
	assert.Equal(t, errReset, told[1].ended.Err)
	assert.EqualValues(t, 4, told[1].ended.BytesReceived)
	assert.Equal(t, transport.Attempt{BytesReceived: 6, Reason: "success"}, told[2].ended)
}

// idleStorage records the idle limit of each exchange.
type idleStorage struct {
	*fakeStorage
	limits []time.Duration
}

func (s *idleStorage) Get(ctx context.Context, from storage.Target, part storage.Part) (*storage.Object, error) {
	s.limits = append(s.limits, from.Idle)
	return s.fakeStorage.Get(ctx, from, part)
}

func (s *idleStorage) Put(ctx context.Context, to storage.Target, body io.Reader, size int64) (string, error) {
	s.limits = append(s.limits, to.Idle)
	return s.fakeStorage.Put(ctx, to, body, size)
}

func TestNoExchangeMayStandStillForLongerThanTheTransfer(t *testing.T) {
	t.Parallel()
	s := given(version{"0123456789", "v1"}, fault{after: 4})
	idle := &idleStorage{fakeStorage: s.fakeStorage}
	s.transfer.Storage, s.transfer.Idle = idle, time.Minute
	_, err := s.object().CopyTo(t.Context(), new(discard))
	require.NoError(t, err)
	_, err = s.transfer.Upload(t.Context(), s.service.place(), sourceOf("content", 7), UploadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []time.Duration{time.Minute, time.Minute, time.Minute}, idle.limits)
}

// discard is a writer that is no *os.File and discards everything.
type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

func TestAnErrorOfLocateIsNoReasonToTryAgain(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	for _, test := range []struct {
		name     string
		err      error
		attempts int
		status   int
	}{
		{"any error", gone, 1, 0},
		{"one that says its status", &LocateError{Err: gone, Status: 404}, 1, 404},
		{"unless the service may find the file later", &LocateError{Err: gone, Status: 404, Temporary: true}, 4, 404},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := given(version{"content", "v1"})
			s.service.err = test.err
			_, err := s.transfer.Object(expired(), Options{}).CopyTo(t.Context(), new(discard))
			require.ErrorIs(t, err, gone)
			require.ErrorContains(t, err, "a new storage URL could not be obtained")
			failure, ok := errors.AsType[*Error](err)
			require.True(t, ok)
			assert.Len(t, failure.Attempts, test.attempts)
			assert.Equal(t, test.status, failure.Attempts[0].Status)
			assert.Empty(t, s.asked())
		})
	}
}
