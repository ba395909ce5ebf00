package hang

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// statusOK is the header ":status: 200" in HPACK encoding.
const statusOK = 0x88

// overflow serves HTTP/2 and exceeds the flow-control window of each stream at
// the given moment. net/http then locks a mutex twice, and neither cancelling
// the request nor CloseIdleConnections returns.
func overflow(t *testing.T, moment string) string {
	t.Helper()
	return testkit.Serve(t, func(conn net.Conn) {
		testkit.SpeakHTTP2(conn, func(stream testkit.HTTP2Stream, kind byte, last bool) {
			at := last
			switch moment {
			case "as the body comes":
				at = kind == testkit.FrameHeaders
			case "within the answer":
				if last {
					stream.Write(testkit.FrameHeaders, testkit.FlagEndHeaders, statusOK)
					stream.Write(testkit.FrameData, 0, []byte(`{"id":`)...)
				}
			}
			if at {
				stream.Write(testkit.FrameWindowUpdate, 0, binary.BigEndian.AppendUint32(nil, 1<<31-1)...)
			}
		})
	})
}

var moments = []string{"before the answer", "as the body comes", "within the answer"}

// TestACallEndsAtItsLimitThoughHTTP2Hangs checks that a call ends at any kind
// of limit, and with any transport, although a broken peer makes net/http hang
// for ever.
func TestACallEndsAtItsLimitThoughHTTP2Hangs(t *testing.T) {
	t.Parallel()
	get := func(ctx context.Context, client *practice.Client, opts ...practice.CallOption) error {
		return testkit.Discard(client.Staff.Get(ctx, testkit.SomeID, opts...))
	}
	for _, moment := range moments {
		for limit, call := range map[string]func(*practice.Client) error{
			"an attempt": func(c *practice.Client) error {
				return get(t.Context(), c, practice.WithAttemptTimeout(50*time.Millisecond), practice.WithRetries(1))
			},
			"a call": func(c *practice.Client) error {
				return get(t.Context(), c, practice.WithTimeout(50*time.Millisecond))
			},
			"a context": func(c *practice.Client) error {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				return get(ctx, c)
			},
		} {
			t.Run(moment+"/"+limit, func(t *testing.T) {
				t.Parallel()
				var carrier http.RoundTripper = testkit.HTTP2Transport()
				if limit == "an attempt" {
					carrier = testkit.RoundTripper(carrier.RoundTrip) // a RoundTripper of the caller
				}
				client := testkit.BareClient(t, overflow(t, moment), practice.WithHTTPClient(&http.Client{Transport: carrier}))
				for range 2 { // the second call waits for the connection of the first
					require.ErrorIs(t, call(client), context.DeadlineExceeded)
				}
			})
		}
	}
}

// TestACallEndsWhenItIsCanceledThoughHTTP2Hangs checks that cancelling the
// context ends the call.
func TestACallEndsWhenItIsCanceledThoughHTTP2Hangs(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	address := testkit.Serve(t, func(conn net.Conn) {
		testkit.SpeakHTTP2(conn, func(stream testkit.HTTP2Stream, _ byte, _ bool) {
			stream.Write(testkit.FrameWindowUpdate, 0, binary.BigEndian.AppendUint32(nil, 1<<31-1)...)
			cancel()
		})
	})
	client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: testkit.HTTP2Transport()}))
	require.ErrorIs(t, testkit.Discard(client.Staff.Get(ctx, testkit.SomeID)), context.Canceled)
}

// TestACreateThatHangsIsAmbiguousAndOneBehindItUnsent checks that a create on
// the hanging connection is ambiguous, and that one that waits for this
// connection counts as not sent.
func TestACreateThatHangsIsAmbiguousAndOneBehindItUnsent(t *testing.T) {
	t.Parallel()
	for kind, create := range testkit.Creates {
		for _, moment := range moments {
			if moment == "as the body comes" && kind != "with a body" {
				continue
			}
			t.Run(kind+", "+moment, func(t *testing.T) {
				t.Parallel()
				client := testkit.BareClient(t, overflow(t, moment), practice.WithHTTPClient(&http.Client{Transport: testkit.HTTP2Transport()}))
				opts := []practice.CallOption{practice.WithAttemptTimeout(50 * time.Millisecond), practice.WithRetries(1)}
				var err error
				for calls, sent := 0, false; !sent || testkit.IsAmbiguous(err); calls++ { // on a busy machine a limit may pass before the hang
					require.Less(t, calls, 100, "no create was ambiguous and no later one unsent")
					err = create(t.Context(), client, opts...)
					sent = sent || testkit.IsAmbiguous(err)
				}
				none, ok := errors.AsType[*practice.NoAnswerError](err)
				require.True(t, ok, "%v", err)
				assert.Len(t, none.Attempts, 2, "nothing was sent, so that it was tried again")
			})
		}
	}
}

// TestATransferEndsThoughHTTP2Hangs checks transfers of files, and
// CloseIdleConnections.
func TestATransferEndsThoughHTTP2Hangs(t *testing.T) {
	t.Parallel()
	for _, moment := range moments {
		for name, transfer := range map[string]func(t *testing.T, storage string) error{
			"a download": func(t *testing.T, storage string) error {
				client := servedOverHTTP2(t, testkit.DownloadFrom(storage, 7))
				defer client.CloseIdleConnections()
				return testkit.Discard(client.Documents.Download(t.Context(), "m1", "f1", io.Discard, practice.DownloadOptions{}))
			},
			"an upload": func(t *testing.T, storage string) error {
				client := servedOverHTTP2(t, testkit.UploadTo(storage))
				defer client.CloseIdleConnections()
				body := strings.NewReader(strings.Repeat("x", 1<<20))
				return testkit.Discard(client.Documents.Upload(t.Context(), "m1", practice.Upload{Name: "a.txt", Body: body}))
			},
		} {
			t.Run(name+", "+moment, func(t *testing.T) {
				t.Parallel()
				err := transfer(t, overflow(t, moment)+"/b?Signature=x")
				_, failed := errors.AsType[*practice.TransferError](err)
				assert.True(t, failed, "%v", err)
			})
		}
	}
}

// servedOverHTTP2 returns a client of a service with a constant response. Its
// transport speaks HTTP/2 with the storage as well.
func servedOverHTTP2(t *testing.T, answer string) *practice.Client {
	service := testkit.Serve(t, func(conn net.Conn) {
		testkit.SpeakHTTP2(conn, func(stream testkit.HTTP2Stream, _ byte, last bool) {
			if last {
				stream.Write(testkit.FrameHeaders, testkit.FlagEndHeaders, statusOK)
				stream.Write(testkit.FrameData, testkit.FlagEndStream, []byte(answer)...)
			}
		})
	})
	return testkit.BareClient(t, service, practice.WithHTTPClient(&http.Client{Transport: testkit.HTTP2Transport()}),
		practice.WithRetries(0), practice.WithIdleTimeout(50*time.Millisecond))
}

// TestARequestForATokenEndsThoughHTTP2Hangs checks that no call waits for a
// token longer than its limit.
func TestARequestForATokenEndsThoughHTTP2Hangs(t *testing.T) {
	t.Parallel()
	for _, moment := range moments {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			source := auth.ClientCredentials{TokenURL: overflow(t, moment), ClientID: "id", ClientSecret: models.NewSecret("secret")}
			client := testkit.BareClient(t, "http://127.0.0.1:1", practice.WithTokens(source),
				practice.WithHTTPClient(&http.Client{Transport: testkit.HTTP2Transport()}))
			for range 2 {
				require.Error(t, testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID, practice.WithTimeout(50*time.Millisecond))))
			}
		})
	}
}

// TestAnAttemptThatHangsLeavesOneGoroutine checks that an attempt uses one
// goroutine, which stays only if the attempt hangs.
func TestAnAttemptThatHangsLeavesOneGoroutine(t *testing.T) {
	address := overflow(t, "before the answer")
	client := testkit.BareClient(t, address, practice.WithHTTPClient(&http.Client{Transport: testkit.HTTP2Transport()}))
	before := exchanges(t)
	err := testkit.Discard(client.Staff.Get(t.Context(), testkit.SomeID, practice.WithAttemptTimeout(10*time.Millisecond), practice.WithRetries(2)))
	none, ok := errors.AsType[*practice.NoAnswerError](err)
	require.True(t, ok, "%v", err)
	require.Len(t, none.Attempts, 3)
	assert.Equal(t, 3, exchanges(t)-before)
}

func exchanges(t *testing.T) int {
	var stacks strings.Builder
	require.NoError(t, pprof.Lookup("goroutine").WriteTo(&stacks, 2))
	return strings.Count(stacks.String(), "httpx.(*exchange).run(")
}
