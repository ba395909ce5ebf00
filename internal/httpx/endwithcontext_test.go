package httpx

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/panics"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// readerFunc is a body made of functions.
type readerFunc struct {
	read   func(p []byte) (int, error)
	closed func()
}

func (b readerFunc) Read(p []byte) (int, error) { return b.read(p) }
func (b readerFunc) Close() error               { b.closed(); return nil }

func request(ctx context.Context, t *testing.T) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://api.example.test/", nil)
	require.NoError(t, err)
	return req
}

// TestAnExchangeEndsWithItsContext checks that an exchange ends shortly after
// its context, wherever the transport hangs, and that a later response is
// closed.
func TestAnExchangeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	const limit, hangs = time.Minute, time.Hour
	for name, test := range map[string]struct {
		head, body time.Duration // time that each takes, ignoring the context
		took       time.Duration
		err        error
	}{
		"in time":                          {0, 0, 0, nil},
		"slow, and in time":                {limit / 3, limit / 3, 2 * (limit / 3), nil},
		"a moment late":                    {limit + endTime/2, 0, limit + endTime/2, nil},
		"a body that is a moment late":     {limit / 2, limit/2 + endTime/2, limit + endTime/2, nil},
		"hanging before the answer":        {hangs, 0, limit + endTime, context.DeadlineExceeded},
		"hanging within the body":          {0, hangs, limit + endTime, context.DeadlineExceeded},
		"hanging within the body, late on": {limit - 1, hangs, limit + endTime, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				defer cancel()
				closed := 0
				text := strings.NewReader("text")
				link := EndWithContext(roundTripper(func(*http.Request) (*http.Response, error) {
					<-time.After(test.head)
					return &http.Response{ContentLength: -1, Body: readerFunc{func(p []byte) (int, error) {
						if text.Len() == 4 {
							<-time.After(test.body)
						}
						return text.Read(p)
					}, func() { closed++ }}}, nil
				}))
				began := time.Now()
				resp, err := link.RoundTrip(request(ctx, t))
				if err == nil {
					var read []byte
					read, err = io.ReadAll(resp.Body)
					assert.Equal(t, err == nil, string(read) == "text")
					require.NoError(t, resp.Body.Close())
				}
				require.ErrorIs(t, err, test.err)
				assert.Equal(t, test.took, time.Since(began))
				<-time.After(2 * hangs)
				synctest.Wait()
				assert.Equal(t, 1, closed)
			})
		})
	}
}

// TestABodyIsReadAheadAsItIs checks that read-ahead returns the body unchanged,
// however it is split and read.
func TestABodyIsReadAheadAsItIs(t *testing.T) {
	t.Parallel()
	failure := errors.New("reset")
	for _, size := range []int{0, 1, 4096, maxAhead/2 - 1, maxAhead / 2, maxAhead + 1, 3*maxAhead + 7} {
		for _, declared := range []int64{-1, int64(size), 1} {
			for _, pieces := range []int{1 << 20, 1000} {
				for _, end := range []error{io.EOF, failure} {
					want := bytes.Repeat([]byte("0123456789"), size/10+1)[:size]
					rest := bytes.NewReader(want)
					link := EndWithContext(roundTripper(func(*http.Request) (*http.Response, error) {
						return &http.Response{ContentLength: declared, Body: readerFunc{func(p []byte) (int, error) {
							if n, err := rest.Read(p[:min(len(p), pieces)]); err == nil {
								return n, nil
							}
							return 0, end
						}, func() {}}}, nil
					}))
					resp, err := link.RoundTrip(request(t.Context(), t))
					require.NoError(t, err)
					got, err := io.ReadAll(io.MultiReader(io.LimitReader(resp.Body, 5), resp.Body))
					assert.Equal(t, errors.Is(end, failure), err != nil, "%v", err)
					assert.Equal(t, string(want), string(got))
					require.NoError(t, resp.Body.Close())
				}
			}
		}
	}
}

// TestASlowBodyIsNotKeptBack checks that each byte is available as soon as it
// arrives, so that a slow body does not look like a hanging one.
func TestASlowBodyIsNotKeptBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		left := 100
		link := EndWithContext(roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{ContentLength: 100, Body: readerFunc{func(p []byte) (int, error) {
				if left == 0 {
					return 0, io.EOF
				}
				<-time.After(time.Second)
				left--
				return copy(p, "x"), nil
			}, func() {}}}, nil
		}))
		resp, err := link.RoundTrip(request(t.Context(), t))
		require.NoError(t, err)
		began := time.Now()
		for i := range 100 {
			n, err := resp.Body.Read(make([]byte, 100))
			require.NoError(t, err)
			require.Equal(t, 1, n)
			require.Equal(t, time.Duration(i+1)*time.Second, time.Since(began))
		}
		require.NoError(t, resp.Body.Close())
	})
}

// TestABodyThatNobodyReadsWaits checks that read-ahead of a body without a
// reader is limited and ends at Close.
func TestABodyThatNobodyReadsWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		read, closed := 0, false
		link := EndWithContext(roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{ContentLength: -1, Body: readerFunc{func(p []byte) (int, error) { read += len(p); return len(p), nil }, func() { closed = true }}}, nil
		}))
		resp, err := link.RoundTrip(request(t.Context(), t))
		require.NoError(t, err)
		synctest.Wait()
		assert.LessOrEqual(t, read, maxAhead)
		require.NoError(t, resp.Body.Close())
		_, err = resp.Body.Read(make([]byte, 1))
		require.ErrorIs(t, err, http.ErrBodyReadAfterClose)
		synctest.Wait()
		assert.True(t, closed)
	})
}

// TestAReadEndsWhenItsBodyIsClosed checks that Close ends a Read in another
// goroutine.
func TestAReadEndsWhenItsBodyIsClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		link := EndWithContext(roundTripper(func(req *http.Request) (*http.Response, error) {
			return &http.Response{ContentLength: -1, Body: readerFunc{func([]byte) (int, error) { <-req.Context().Done(); return 0, req.Context().Err() }, func() {}}}, nil
		}))
		resp, err := link.RoundTrip(request(ctx, t))
		require.NoError(t, err)
		var reading sync.WaitGroup
		reading.Go(func() {
			_, err := resp.Body.Read(make([]byte, 1))
			assert.ErrorIs(t, err, http.ErrBodyReadAfterClose)
		})
		synctest.Wait()
		require.NoError(t, resp.Body.Close())
		reading.Wait()
		cancel()
	})
}

// TestAPanicOfATransportReachesItsCaller checks that a panic or Goexit of the
// caller's transport occurs in the goroutine of the call.
func TestAPanicOfATransportReachesItsCaller(t *testing.T) {
	t.Parallel()
	failure := errors.New("broken")
	within := func(do func()) http.RoundTripper {
		return roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{ContentLength: -1, Body: readerFunc{func([]byte) (int, error) { do(); return 0, io.EOF }, func() {}}}, nil
		})
	}
	before := func(do func()) http.RoundTripper {
		return roundTripper(func(*http.Request) (*http.Response, error) { do(); return nil, io.EOF })
	}
	for name, of := range map[string]func(func()) http.RoundTripper{"before the answer": before, "within the body": within} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exchange := func(next http.RoundTripper) {
				resp, err := EndWithContext(next).RoundTrip(request(t.Context(), t))
				if err == nil {
					_, _ = io.ReadAll(resp.Body)
				}
			}
			var box panics.Box
			box.Run(func() { exchange(of(func() { panic(failure) })) })
			require.NotNil(t, box.Take())
			var exited sync.WaitGroup
			returned := false
			exited.Go(func() {
				exchange(of(runtime.Goexit))
				returned = true
			})
			exited.Wait()
			assert.False(t, returned)
		})
	}
}

// TestOnlyWhereHTTP2IsPossibleAGoroutineIsSpent checks that exchanges that
// cannot use HTTP/2 need no separate goroutine.
func TestOnlyWhereHTTP2IsPossibleAGoroutineIsSpent(t *testing.T) {
	t.Parallel()
	only := func(set func(*http.Protocols)) *http.Transport {
		own := &http.Transport{Protocols: new(http.Protocols)}
		set(own.Protocols)
		return own
	}
	http1 := only(func(p *http.Protocols) { p.SetHTTP1(true) })
	secure := only(func(p *http.Protocols) { p.SetHTTP1(true); p.SetHTTP2(true) })
	plain := only(func(p *http.Protocols) { p.SetUnencryptedHTTP2(true) })
	for name, test := range map[string]struct {
		next        http.RoundTripper
		http, https bool
	}{
		"by default":             {&http.Transport{}, false, true},
		"HTTP/1.1 alone":         {http1, false, false},
		"HTTP/2 with TLS":        {secure, false, true},
		"HTTP/2 without TLS":     {plain, true, false},
		"a transport around one": {roundTripper(http1.RoundTrip), true, true},
	} {
		assert.Equal(t, test.http, mayBeHTTP2(test.next, "http"), name)
		assert.Equal(t, test.https, mayBeHTTP2(test.next, "https"), name)
	}
}

type closer func()

func (c closer) CloseIdleConnections() { c() }

func TestTheEndOfIdleConnectionsIsNotAwaitedForEver(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ hangs, took time.Duration }{
		"at once": {0, 0}, "for a while": {endTime / 2, endTime / 2}, "never": {time.Hour, endTime},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			CloseIdleConnections(closer(func() { <-time.After(test.hangs) }))
			assert.Equal(t, test.took, time.Since(began), name)
			<-time.After(test.hangs)
		})
	}
}

// closable is a body whose Close takes a moment.
type closable struct {
	io.Reader
	closed atomic.Bool
}

func (c *closable) Close() error {
	<-time.After(time.Second)
	c.closed.Store(true)
	return nil
}

func TestABodyIsClosedBeforeItsReaderMeetsTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		body := &closable{Reader: strings.NewReader("answer")}
		transport := EndWithContext(roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: body, ContentLength: -1}, nil
		}))
		response, err := transport.RoundTrip(request(t.Context(), t))
		require.NoError(t, err)
		_, err = io.ReadAll(response.Body)
		require.NoError(t, err)
		require.True(t, body.closed.Load())
		require.NoError(t, response.Body.Close())
	})
}
