package transport

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnswersAreReadWhole(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	long := strings.Repeat("x", limit)
	for _, test := range []struct {
		name     string
		body     io.Reader
		declared int64
		want     int
		failure  error
	}{
		{"with a length", strings.NewReader("hello"), 5, 5, nil},
		{"without a length", strings.NewReader("hello"), -1, 5, nil},
		{"empty", strings.NewReader(""), 0, 0, nil},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(long)), -1, limit, nil},
		{"data with the end", iotest.DataErrReader(strings.NewReader(long)), limit, limit, nil},
		{"as long as allowed", strings.NewReader(long), limit, limit, nil},
		{"longer than allowed", strings.NewReader(long + "x"), -1, 0, ErrBodyTooLarge},
		{"declared longer than allowed", strings.NewReader(""), limit + 1, 0, ErrBodyTooLarge},
		{"broken", io.MultiReader(strings.NewReader("he"), brokenReader{}), 5, 0, io.ErrUnexpectedEOF},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			link := &wholeBody{next: tripper(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Body: io.NopCloser(test.body), ContentLength: test.declared}, nil
			})}
			call := newCall(Read)
			call.MaxBody = limit
			resp, err := link.RoundTrip(get(t, t.Context(), call, base))
			require.ErrorIs(t, err, test.failure)
			if test.failure != nil {
				return
			}
			data, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			assert.Len(t, data, test.want)
			assert.EqualValues(t, test.want, resp.ContentLength)
		})
	}
}

func TestALyingLengthAllocatesWhatIsDelivered(t *testing.T) {
	t.Parallel()
	data, err := readAll(strings.NewReader("short"), nil, 1<<30, 1<<31)
	require.NoError(t, err)
	assert.LessOrEqual(t, cap(data), firstRead)
}

func TestARefusalKeepsItsStatusWhenItsBodyBreaks(t *testing.T) {
	t.Parallel()
	chain, _ := chainOver(t, nil, truncated(http.StatusForbidden))
	got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
	require.NoError(t, err)
	assert.Equal(t, http.StatusForbidden, got.Status)
	assert.Equal(t, `{"id":`, string(got.Body))
}

func TestATransportThatBreaksItsContract(t *testing.T) {
	t.Parallel()
	nothing := tripper(func(*http.Request) (*http.Response, error) { return nil, nil })
	t.Run("as the wire", func(t *testing.T) {
		t.Parallel()
		chain, _ := chainOver(t, nil, nothing)
		call := newCall(Create)
		_, err := chain.send(t, t.Context(), http.MethodPost, call, 0)
		require.ErrorIs(t, err, errNoAnswer)
		assert.True(t, call.Uncertain())
	})
	t.Run("as a middleware", func(t *testing.T) {
		t.Parallel()
		link := &wholeBody{next: nothing}
		_, err := link.RoundTrip(get(t, t.Context(), newCall(Read), base))
		require.ErrorIs(t, err, errNoAnswer)
	})
	t.Run("no body", func(t *testing.T) {
		t.Parallel()
		chain, _ := chainOver(t, nil, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 204}, nil
		})
		got, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.NoError(t, err)
		assert.Empty(t, got.Body)
	})
}
