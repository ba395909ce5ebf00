package acceptance_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestACreateThatIsRedirectedIsSentOnce checks that a redirect counts as a
// response, whatever its Location.
func TestACreateThatIsRedirectedIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308, 399} {
		for _, location := range []string{"", "http://[::1", "%zz", "http://a b/", "/elsewhere", "https://elsewhere.example.test/"} {
			for name, create := range testkit.Creates {
				var sent atomic.Int32
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					sent.Add(1)
					w.Header()["Location"] = []string{location}
					w.WriteHeader(status)
				}))
				err := create(t.Context(), testkit.BareClient(t, server.URL))
				require.ErrorIs(t, err, practice.ErrRedirect, "%d %q %s", status, location, name)
				assert.EqualValues(t, 1, sent.Load(), "%d %q %s", status, location, name)
				_, unclear := errors.AsType[*practice.AmbiguousWriteError](err)
				assert.Equal(t, status == http.StatusSeeOther, unclear, "%d %s: a 303 leads to the result", status, name)
				answer, ok := errors.AsType[*practice.Error](err)
				require.True(t, ok)
				assert.Equal(t, location, answer.Header.Get("Location"), "the answer is kept as it came")
				server.Close()
			}
		}
	}
}

// TestACreateUnderMiddlewareIsRepeatedOnProofAlone checks middlewares that
// return before their transport, send the request themselves or hide the
// response. Without proof that it was not executed, the create is sent once and
// reported as ambiguous.
func TestACreateUnderMiddlewareIsRepeatedOnProofAlone(t *testing.T) {
	t.Parallel()
	for name := range impatient(nil, nil) {
		for kind, create := range testkit.Creates {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				var sent atomic.Int32
				taken, stop := make(chan struct{}), make(chan struct{})
				server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
					if sent.Add(1) == 1 {
						close(taken)
					}
					select {
					case <-stop:
					case <-req.Context().Done():
					}
				}))
				defer server.Close()
				defer close(stop)
				own := &http.Transport{}
				defer own.CloseIdleConnections()
				middleware := impatient(own, func(ctx context.Context) context.Context {
					ctx, cancel := context.WithCancel(ctx)
					go func() {
						defer cancel()
						select {
						case <-taken:
						case <-t.Context().Done():
						}
					}()
					return ctx
				})[name]
				err := create(t.Context(), testkit.BareClient(t, server.URL, practice.WithMiddleware(middleware)))
				require.True(t, testkit.IsAmbiguous(err), "%v", err)
				assert.EqualValues(t, 1, sent.Load())
			})
		}
	}
}

// impatient returns middlewares that end their part of an exchange too early:
// when the context returned by until ends.
func impatient(own http.RoundTripper, until func(context.Context) context.Context) map[string]func(http.RoundTripper) http.RoundTripper {
	gaveUp := errors.New("the middleware gave up")
	return map[string]func(http.RoundTripper) http.RoundTripper{
		"gives up first": func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				copyOf(next, req)
				<-until(req.Context()).Done()
				return nil, gaveUp
			})
		},
		"answers first, as if the service had too much to do": func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				copyOf(next, req)
				<-until(req.Context()).Done()
				return &http.Response{StatusCode: http.StatusTooManyRequests}, nil
			})
		},
		"carries it itself": func(http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				return own.RoundTrip(req.WithContext(until(req.Context())))
			})
		},
		"carries it itself, without its context": func(http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				return own.RoundTrip(req.WithContext(until(context.Background())))
			})
		},
		"replaces the context": func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				return next.RoundTrip(req.WithContext(until(context.Background())))
			})
		},
		"says that it had no connection": func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				_, err := next.RoundTrip(req.WithContext(until(req.Context())))
				return nil, errors.Join(err, &net.OpError{Op: "dial", Err: errors.New("connection refused")})
			})
		},
		"has retries of its own": func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(req.Clone(until(req.Context())))
				for range 2 {
					resp, err = next.RoundTrip(req.Clone(req.Context()))
				}
				return resp, err
			})
		},
	}
}

// TestAMiddlewareRepeatsACreateAfterARefusalOnly checks that a middleware may
// send a create again after a refusal, with other credentials for example, but
// not after any other response, because the create may have been executed.
func TestAMiddlewareRepeatsACreateAfterARefusalOnly(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]int32{
		200: 1, 202: 1, 204: 1, 299: 1, 500: 1, 501: 1, 503: 1, 599: 1,
		300: 2, 307: 2, 400: 2, 401: 2, 409: 2, 429: 2, 499: 2,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				sent.Add(1)
				w.WriteHeader(status)
			}))
			defer server.Close()
			client := testkit.BareClient(t, server.URL, practice.WithRetries(0), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					first, err := next.RoundTrip(req.Clone(req.Context()))
					if err != nil {
						return nil, err
					}
					_ = first.Body.Close()
					return next.RoundTrip(req.Clone(req.Context()))
				})
			}))
			err := testkit.Creates["without a body"](t.Context(), client)
			assert.Equal(t, want, sent.Load())
			assert.Equal(t, want == 1, testkit.IsAmbiguous(err), "%v", err)
		})
	}
}

// TestACreateThatTookAnotherWayIsAmbiguous checks that proof about the client's
// own transport does not cover a second transport that a middleware used.
func TestACreateThatTookAnotherWayIsAmbiguous(t *testing.T) {
	t.Parallel()
	for kind, create := range testkit.Creates {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var sent atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent.Add(1) }))
			defer server.Close()
			broken := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no route today") }}
			another := &http.Transport{}
			defer another.CloseIdleConnections()
			client := testkit.BareClient(t, server.URL, practice.WithHTTPClient(&http.Client{Transport: broken}),
				practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
					return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						_, err := next.RoundTrip(req.Clone(req.Context()))
						require.Error(t, err)
						answer, err := another.RoundTrip(req.Clone(t.Context()))
						require.NoError(t, err)
						_ = answer.Body.Close()
						return nil, errors.New("the answer was lost")
					})
				}))
			err := create(t.Context(), client)
			assert.True(t, testkit.IsAmbiguous(err), "%v", err)
			assert.EqualValues(t, 1, sent.Load())
		})
	}
}

// TestACreateThatFoundNoConnectionIsRepeated checks that a middleware does not
// prevent the retry if nothing can have been sent.
func TestACreateThatFoundNoConnectionIsRepeated(t *testing.T) {
	t.Parallel()
	for name, middleware := range middlewares(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
			defer server.Close()
			var dials atomic.Int32
			own := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials.Add(1) < 3 {
					return nil, errors.New("no route today")
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}}
			defer own.CloseIdleConnections()
			client := testkit.BareClient(t, server.URL, practice.WithHTTPClient(&http.Client{Transport: own}), practice.WithMiddleware(middleware))
			require.NoError(t, testkit.Creates["without a body"](t.Context(), client))
			assert.EqualValues(t, 3, dials.Load())
		})
	}
}

func TestACreateWhoseContextHadEndedIsNotAmbiguous(t *testing.T) {
	t.Parallel()
	for name, middleware := range middlewares(t) {
		for kind, create := range testkit.Creates {
			var sent atomic.Int32
			transport := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				sent.Add(1)
				return nil, req.Context().Err()
			})
			client := testkit.BareClient(t, "http://127.0.0.1:1", practice.WithHTTPClient(&http.Client{Transport: transport}), practice.WithMiddleware(middleware))
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			err := create(ended, client)
			require.ErrorIs(t, err, context.Canceled, "%s %s", name, kind)
			assert.False(t, testkit.IsAmbiguous(err), "%s %s: %v", name, kind, err)
			late, stop := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
			err = create(late, client)
			stop()
			require.ErrorIs(t, err, context.DeadlineExceeded, "%s %s", name, kind)
			assert.False(t, testkit.IsAmbiguous(err), "%s %s: %v", name, kind, err)
			assert.Zero(t, sent.Load())
		}
	}
}

func TestAMiddlewareMayAnswerWithoutABody(t *testing.T) {
	t.Parallel()
	for _, status := range []int{101, 200, 202, 204, 304, 404, 503} {
		client := testkit.BareClient(t, "http://127.0.0.1:1", practice.WithMiddleware(func(http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: status}, nil })
		}))
		for _, create := range testkit.Creates {
			err := create(t.Context(), client)
			assert.Equal(t, status >= 200 && status < 300, err == nil, "%d: %v", status, err)
		}
	}
}

// TestACreateIsRepeatedOnAWholeRefusalOnly checks that a create is not retried
// after a truncated 401 or 429.
func TestACreateIsRepeatedOnAWholeRefusalOnly(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{true, false} {
		var sent atomic.Int32
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if sent.Add(1) > 1 {
				w.WriteHeader(http.StatusAccepted)
				return
			}
			if !whole {
				w.Header().Set("Content-Length", "100")
			}
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"title":`)
		}))
		err := testkit.Creates["with a body"](t.Context(), testkit.BareClient(t, server.URL))
		assert.Equal(t, whole, err == nil, "%v", err)
		assert.Equal(t, !whole, testkit.IsAmbiguous(err), "%v", err)
		server.Close()
	}
}

// TestIdempotencyHeadersDoNotMakeNetHTTPRepeatACreate checks that net/http does
// not retry a create on a broken connection because of a header.
func TestIdempotencyHeadersDoNotMakeNetHTTPRepeatACreate(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Idempotency-Key", "X-Idempotency-Key", "idempotency-key"} {
		client := testkit.BareClient(t, "http://127.0.0.1:1")
		err := testkit.Creates["with a body"](t.Context(), client, practice.WithHeader(name, "1"))
		refused, ok := errors.AsType[*practice.ConfigError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, "WithHeader", refused.Setting)

		for kind, create := range testkit.Creates {
			server, executed := breakingServer(t)
			client := testkit.BareClient(t, server, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					req = req.Clone(req.Context())
					req.Header.Set(name, "1")
					return next.RoundTrip(req)
				})
			}))
			var err error
			for calls := 1; err == nil; calls++ { // net/http does not reuse each connection on a busy machine
				require.LessOrEqual(t, calls, 100, "no connection is reused")
				err = create(t.Context(), client)
				require.EqualValues(t, calls, executed.Load(), kind)
			}
			assert.True(t, testkit.IsAmbiguous(err), "%s: %v", kind, err)
		}
	}
}

// breakingServer returns the address of a server that reads every request
// completely, responds only to the first request of each connection and closes
// the connection at the second.
func breakingServer(t *testing.T) (address string, executed *atomic.Int32) {
	t.Helper()
	executed = new(atomic.Int32)
	address = testkit.Serve(t, func(conn net.Conn) {
		reader := bufio.NewReader(conn)
		for i := range 2 {
			req, err := http.ReadRequest(reader)
			if err != nil {
				return
			}
			_, _ = io.Copy(io.Discard, req.Body)
			executed.Add(1)
			if i == 0 {
				_, _ = io.WriteString(conn, "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")
			}
		}
	})
	return address, executed
}

// TestAWriteInAContextOfItsTransportHasNoSecondBody checks that a transport or
// a middleware that replaces the context of a write, and so hides it from the
// client, gets no second body.
func TestAWriteInAContextOfItsTransportHasNoSecondBody(t *testing.T) {
	t.Parallel()
	inOwnContext := func(t *testing.T, own http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) { return own.RoundTrip(req.WithContext(t.Context())) })
	}
	for name, test := range map[string]struct {
		with func(t *testing.T, own http.RoundTripper) practice.ClientOption
		most int32 // the middleware itself may read bodies
	}{
		"transport": {func(t *testing.T, own http.RoundTripper) practice.ClientOption {
			return practice.WithHTTPClient(&http.Client{Transport: inOwnContext(t, own)})
		}, 1},
		"middleware": {func(t *testing.T, own http.RoundTripper) practice.ClientOption {
			return practice.WithMiddleware(carrying(inOwnContext(t, own)))
		}, 4},
	} {
		for code := range uint32(14) {
			t.Run(fmt.Sprint(name, " ", code), func(t *testing.T) {
				t.Parallel()
				if name == "middleware" && code == 7 {
					soak.Only(t, "net/http waits six seconds before it has repeated a refused stream for the last time")
				}
				var taken atomic.Int32
				address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, code, &taken) })
				client := testkit.BareClient(t, address, practice.WithRetries(0), test.with(t, http2Transport(t)))
				err := testkit.Creates["with a body"](t.Context(), client)
				assert.True(t, testkit.IsAmbiguous(err), "%v", err)
				assert.LessOrEqual(t, taken.Load(), test.most)
				taken.Store(0)
				change := practice.Request{Method: http.MethodPut, Path: "/staff/{id}", PathValues: []string{testkit.SomeID}, Body: map[string]string{"name": "x"}}
				require.Error(t, client.Do(t.Context(), change, nil))
				assert.LessOrEqual(t, taken.Load(), test.most)
			})
		}
	}
}

// TestAMiddlewareMayReadTheBody checks that a middleware may read the body and
// send the one from GetBody.
func TestAMiddlewareMayReadTheBody(t *testing.T) {
	t.Parallel()
	reading := func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			_, err := io.Copy(io.Discard, req.Body)
			require.NoError(t, err)
			require.NoError(t, req.Body.Close())
			req = req.Clone(req.Context())
			req.Body, err = req.GetBody()
			require.NoError(t, err)
			return next.RoundTrip(req)
		})
	}
	var got string
	client := testkit.BareClient(t, "http://127.0.0.1:1", practice.WithMiddleware(reading, reading, reading),
		practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(req.Body)
			got = string(body)
			return testkit.AnswerOf(200, `{"id":"x"}`), err
		})}))
	require.NoError(t, testkit.Creates["with a body"](t.Context(), client))
	assert.JSONEq(t, `{"name":"Leases"}`, got)
}

// TestATransportMayRepeatAReadAfterAnAnswer checks that a transport that sends
// a read again after a response does not count as a connection that keeps
// failing.
func TestATransportMayRepeatAReadAfterAnAnswer(t *testing.T) {
	t.Parallel()
	const repeats = 8
	var taken atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if taken.Add(1) < repeats {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, `{"id":"1"}`)
	}))
	defer server.Close()
	own := &http.Transport{}
	defer own.CloseIdleConnections()
	client := testkit.BareClient(t, server.URL, practice.WithRetries(0), practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		for {
			answer, err := own.RoundTrip(req)
			if err != nil || answer.StatusCode == http.StatusOK {
				return answer, err
			}
			_ = answer.Body.Close()
		}
	})}))
	require.NoError(t, testkit.Discard(client.Staff.Get(t.Context(), "1")))
	assert.EqualValues(t, repeats, taken.Load())
}

// TestAMiddlewareMayLookWhileACreateIsSent checks a middleware that sends a
// read before, during and after a create: the read is no copy of the create and
// proves nothing about it.
func TestAMiddlewareMayLookWhileACreateIsSent(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]bool{"that succeeds": false, "whose answer is lost": true} {
		for kind, create := range testkit.Creates {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				var looks, sent atomic.Int32
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					if req.Method == http.MethodHead {
						looks.Add(1)
						w.Header().Set("Connection", "close") // net/http does not retry on a new connection
						return
					}
					sent.Add(1)
					_, _ = io.Copy(io.Discard, req.Body)
					if fails {
						panic(http.ErrAbortHandler)
					}
					_, _ = io.WriteString(w, `{"id":"x"}`)
				}))
				defer server.Close()
				look := func(next http.RoundTripper, req *http.Request) {
					own, err := http.NewRequestWithContext(req.Context(), http.MethodHead, server.URL+"/health", nil)
					require.NoError(t, err)
					answer, err := next.RoundTrip(own)
					if assert.NoError(t, err) {
						assert.NoError(t, answer.Body.Close())
					}
				}
				err := create(t.Context(), testkit.BareClient(t, server.URL, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
					return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						look(next, req)
						defer look(next, req)
						return next.RoundTrip(req)
					})
				})))
				assert.Equal(t, fails, testkit.IsAmbiguous(err), "%v", err)
				assert.Equal(t, fails, err != nil, "%v", err)
				assert.EqualValues(t, 1, sent.Load())
				assert.EqualValues(t, 2, looks.Load())
			})
		}
	}
}
