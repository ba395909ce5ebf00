package acceptance_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// TestACreateWhoseStreamIsResetIsSentOnce checks HTTP/2 servers that accept a
// request and then reset its stream, with any code, or send GOAWAY.
func TestACreateWhoseStreamIsResetIsSentOnce(t *testing.T) {
	t.Parallel()
	for code := range uint32(14) {
		for kind, create := range testkit.Creates {
			for name, middleware := range middlewares(t) {
				t.Run(kind+"/"+name, func(t *testing.T) {
					t.Parallel()
					var taken atomic.Int32
					address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, code, &taken) })
					own := http2Transport(t)
					client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: own}), practice.WithMiddleware(middleware))
					err := create(t.Context(), client, practice.WithAttemptTimeout(5*time.Second))
					assert.True(t, testkit.IsAmbiguous(err), "code %d: %v", code, err)
					assert.EqualValues(t, 1, taken.Load(), "code %d", code)
				})
			}
		}
	}
}

// TestACreateInAContextOfTheMiddlewareIsSentOnce checks a middleware that
// replaces the context of the request, so that the client cannot trace it.
func TestACreateInAContextOfTheMiddlewareIsSentOnce(t *testing.T) {
	t.Parallel()
	for code := range uint32(14) {
		for kind, create := range testkit.Creates {
			t.Run(fmt.Sprint(kind, " ", code), func(t *testing.T) {
				t.Parallel()
				var taken atomic.Int32
				address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, code, &taken) })
				client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: http2Transport(t)}),
					practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
						return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
							return next.RoundTrip(req.WithContext(t.Context()))
						})
					}))
				err := create(t.Context(), client)
				assert.True(t, testkit.IsAmbiguous(err), "%v", err)
				assert.EqualValues(t, 1, taken.Load())
			})
		}
	}
}

// TestACreateInAContextOfTheTransportIsSentOnce checks a transport that
// replaces the context of the request, so that the client cannot trace it.
func TestACreateInAContextOfTheTransportIsSentOnce(t *testing.T) {
	t.Parallel()
	for code := range uint32(14) {
		for kind, create := range testkit.Creates {
			t.Run(fmt.Sprint(kind, " ", code), func(t *testing.T) {
				t.Parallel()
				var taken atomic.Int32
				address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, code, &taken) })
				own := http2Transport(t)
				client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{
					Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						return own.RoundTrip(req.WithContext(t.Context()))
					}),
				}))
				err := create(t.Context(), client)
				assert.True(t, testkit.IsAmbiguous(err), "%v", err)
				assert.EqualValues(t, 1, taken.Load())
			})
		}
	}
}

// TestACreateWithoutABodyHasALengthOfZero checks that a create without a body
// has a Content-Length with any transport.
func TestACreateWithoutABodyHasALengthOfZero(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(http.RoundTripper) http.RoundTripper{
		"alone":   func(own http.RoundTripper) http.RoundTripper { return own },
		"wrapped": func(own http.RoundTripper) http.RoundTripper { return testkit.RoundTripper(own.RoundTrip) },
	} {
		var head string
		address := testkit.Serve(t, func(conn net.Conn) {
			for reader := bufio.NewReader(conn); ; {
				line, err := reader.ReadString('\n')
				if head += line; err != nil || line == "\r\n" {
					break
				}
			}
			_, _ = conn.Write([]byte("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
		})
		own := &http.Transport{}
		t.Cleanup(own.CloseIdleConnections)
		client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: wrap(own)}))
		require.NoError(t, testkit.Creates["without a body"](t.Context(), client), name)
		assert.Equal(t, 1, strings.Count(strings.ToLower(head), "\r\ncontent-length: 0\r\n"), "%s: %s", name, head)
		assert.NotContains(t, strings.ToLower(head), "transfer-encoding", name)
	}
}

// TestAStreamThatIsAlwaysResetIsNotRepeatedWithoutEnd checks that idempotent
// writes and reads end over such a connection, also with a transport that wraps
// another one.
func TestAStreamThatIsAlwaysResetIsNotRepeatedWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, wrap := range map[string]func(http.RoundTripper) http.RoundTripper{
		"alone":   func(own http.RoundTripper) http.RoundTripper { return own },
		"wrapped": func(own http.RoundTripper) http.RoundTripper { return testkit.RoundTripper(own.RoundTrip) },
	} {
		for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, "GET after a 103"} {
			method, after, _ := strings.Cut(method, " ")
			var interim []byte
			if after != "" {
				interim = []byte{0x08, 3, '1', '0', '3'} // :status in HPACK encoding
			}
			t.Run(name+"/"+method+after, func(t *testing.T) {
				t.Parallel()
				const protocolError = 1
				var taken atomic.Int32
				address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, protocolError, &taken, interim...) })
				client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: wrap(http2Transport(t))}))
				request := practice.Request{Method: method, Path: "/staff/{id}", PathValues: []string{testkit.SomeID}}
				if method == http.MethodPut {
					request.Body = map[string]string{"name": "x"}
				}
				err := client.Do(t.Context(), request, nil, practice.WithAttemptTimeout(5*time.Second))
				_, ok := errors.AsType[*practice.NoAnswerError](err)
				assert.True(t, ok, "%v", err)
				assert.LessOrEqual(t, taken.Load(), int32(4*5), "four attempts")
			})
		}
	}
}

// TestAnswersThatAreNoneAreCounted checks that the number of 1xx responses is
// limited. Without a hook for them, net/http limits their total size.
func TestAnswersThatAreNoneAreCounted(t *testing.T) {
	t.Parallel()
	wrap := func(own *http.Transport) http.RoundTripper { return testkit.RoundTripper(own.RoundTrip) }
	alone := func(own *http.Transport) http.RoundTripper { return own }
	for name, carry := range map[string]func(*http.Transport) http.RoundTripper{"GET, wrapped": wrap, "POST, wrapped": wrap, "POST, alone": alone} {
		for interim, answered := range map[int]bool{5: true, 6: false, 500: false} {
			t.Run(fmt.Sprint(name, " ", interim), func(t *testing.T) {
				t.Parallel()
				address := testkit.Serve(t, func(conn net.Conn) {
					testkit.SpeakHTTP2(conn, func(stream testkit.HTTP2Stream, _ byte, _ bool) {
						for range interim {
							stream.Write(testkit.FrameHeaders, testkit.FlagEndHeaders, 0x08, 3, '1', '0', '3')
						}
						const status204 = 0x89
						stream.Write(testkit.FrameHeaders, testkit.FlagEndHeaders|testkit.FlagEndStream, status204)
					})
				})
				client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: carry(http2Transport(t))}), practice.WithRetries(1))
				method, _, _ := strings.Cut(name, ",")
				err := client.Do(t.Context(), practice.Request{Method: method, Path: "/matters/{id}/archive", PathValues: []string{testkit.SomeID}}, nil)
				assert.Equal(t, answered, err == nil, "%v", err)
			})
		}
	}
}

// TestATransferWhoseStreamIsAlwaysResetEnds checks exchanges with the storage
// on such a connection.
func TestATransferWhoseStreamIsAlwaysResetEnds(t *testing.T) {
	t.Parallel()
	upload := func(content string) func(*testing.T, *practice.Client) error {
		return func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Documents.Upload(t.Context(), "m1", practice.Upload{Name: "a.txt", Body: strings.NewReader(content)}))
		}
	}
	for _, test := range []struct {
		name     string
		answer   func(address string) string
		transfer func(*testing.T, *practice.Client) error
	}{
		{"a download", func(address string) string { return testkit.DownloadFrom(address, 7) }, func(t *testing.T, client *practice.Client) error {
			return testkit.Discard(client.Documents.Download(t.Context(), "m1", "f1", io.Discard, practice.DownloadOptions{}))
		}},
		{"an upload", testkit.UploadTo, upload("content")},
		{"an upload of nothing", testkit.UploadTo, upload("")},
	} {
		for _, reset := range []uint32{0, 1, 2, 8, 11, 13} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				var taken atomic.Int32
				address := testkit.Serve(t, func(conn net.Conn) { resetStreams(conn, reset, &taken) })
				own := http2Transport(t)
				err := test.transfer(t, testkit.WithStorage(t, test.answer(address+"/b?Signature=x"), own.RoundTrip, practice.WithRetries(0)))
				_, failed := errors.AsType[*practice.TransferError](err)
				assert.True(t, failed, "%v", err)
				assert.Positive(t, taken.Load())
				assert.LessOrEqual(t, taken.Load(), int32(4), "code %d", reset)
			})
		}
	}
}

// http2Transport returns a transport that speaks only HTTP/2.
func http2Transport(t *testing.T) *http.Transport {
	own := testkit.HTTP2Transport()
	t.Cleanup(own.CloseIdleConnections)
	return own
}

// resetStreams reads complete requests and resets their streams with code.
// Before that it sends the header of an interim response, if interim is set.
func resetStreams(conn net.Conn, code uint32, taken *atomic.Int32, interim ...byte) {
	testkit.SpeakHTTP2(conn, func(stream testkit.HTTP2Stream, _ byte, last bool) {
		if !last {
			return
		}
		taken.Add(1)
		if len(interim) > 0 {
			stream.Write(testkit.FrameHeaders, testkit.FlagEndHeaders, interim...)
		}
		stream.Write(testkit.FrameReset, 0, binary.BigEndian.AppendUint32(nil, code)...)
	})
}
