package webhook_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/version"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// opaque is a ResponseWriter wrapped without Unwrap, as by many middlewares.
type opaque struct{ w http.ResponseWriter }

func (o opaque) Header() http.Header         { return o.w.Header() }
func (o opaque) Write(b []byte) (int, error) { return o.w.Write(b) }
func (o opaque) WriteHeader(status int)      { o.w.WriteHeader(status) }

// showing is a ResponseWriter wrapped correctly.
type showing struct{ opaque }

func (s showing) Unwrap() http.ResponseWriter { return s.w }

// deadlined supports read deadlines, but without an effect.
type deadlined struct{ opaque }

func (deadlined) SetReadDeadline(time.Time) error { return nil }

// writers returns the ResponseWriters that middleware may pass to a receiver.
func writers() map[string]func(http.ResponseWriter) http.ResponseWriter {
	return map[string]func(http.ResponseWriter) http.ResponseWriter{
		"of the server":                    func(w http.ResponseWriter) http.ResponseWriter { return w },
		"that shows what it wraps":         func(w http.ResponseWriter) http.ResponseWriter { return showing{opaque{w}} },
		"of which nothing shows":           func(w http.ResponseWriter) http.ResponseWriter { return opaque{w} },
		"that observes no deadline it has": func(w http.ResponseWriter) http.ResponseWriter { return deadlined{opaque{w}} },
	}
}

// answersLate reports whether a server responds only after a read of the body
// has ended, as in Go 1.27 for requests with Expect: 100-continue. If the
// writer does not support read deadlines, ReadTimeout ends the read, as
// documented for [webhook.WithDeadline].
func answersLate(writer, head string) bool {
	ends := writer == "of the server" || writer == "that shows what it wraps"
	return !ends && strings.HasPrefix(head, "Expect") && version.Compare(runtime.Version(), "go1.27") >= 0
}

// sendHead sends the headers of a delivery without its body.
func sendHead(t *testing.T, to *pipes, more string) net.Conn {
	t.Helper()
	connection, err := to.dial()
	require.NoError(t, err)
	header := signed(t, nil).Header
	_, err = fmt.Fprintf(connection, "POST / HTTP/1.1\r\nHost: x\r\nTimestamp: %s\r\nRequestId: %s\r\nSignature: %s\r\n%s",
		header.Get("Timestamp"), header.Get("RequestId"), header.Get("Signature"), more)
	require.NoError(t, err)
	return connection
}

// A sender that sends slowly forever gets its response at the deadline,
// whatever wraps the receiver, and no longer occupies a slot.
func TestABodyMustComeInTimeWhateverTheWriter(t *testing.T) {
	t.Parallel()
	for name, wrap := range writers() {
		for form, more := range map[string]string{
			"of a known length":                "Content-Length: 100\r\n\r\n{",
			"in chunks":                        "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
			"of which nothing comes":           "Content-Length: 100\r\n\r\n",
			"that waits to be asked for":       "Expect: 100-continue\r\nContent-Length: 100\r\n\r\n",
			"that is longer than what is read": "Content-Length: 900000\r\n\r\n{",
		} {
			t.Run(name+", "+form, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { bodyComesInTime(t, name, more, wrap) })
			})
		}
	}
}

func bodyComesInTime(t *testing.T, writer, more string, wrap func(http.ResponseWriter) http.ResponseWriter) {
	t.Helper()
	const deadline = time.Second
	receiver := newReceiver(t, webhook.WithDeadline(deadline), webhook.WithMaxDeliveries(1))
	called, ended := handleRest(receiver), make(chan struct{}, 10)
	server, pipes := serverOnPipes(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		receiver.ServeHTTP(wrap(w), r)
		ended <- struct{}{}
	}))
	limit := deadline + 100*time.Millisecond
	if answersLate(writer, more) {
		server.Config.ReadTimeout, limit = 2*deadline, 2*deadline
	}
	server.Start()
	defer server.Close()
	began := time.Now()
	connection := sendHead(t, pipes, more)
	defer connection.Close()
	reader := bufio.NewReader(connection)
	answer, err := http.ReadResponse(reader, nil)
	require.NoError(t, err)
	if answer.StatusCode == http.StatusContinue {
		answer, err = http.ReadResponse(reader, nil)
		require.NoError(t, err)
	}
	defer answer.Body.Close()
	assert.Equal(t, 400, answer.StatusCode)
	assert.LessOrEqual(t, time.Since(began), limit)
	assert.Equal(t, uint64(1), receiver.Refusals()[webhook.ErrBodyUnreadable])
	<-ended
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	require.NoError(t, receiver.Shutdown(ctx), "nobody reads any more, although the sender is still there")
	assert.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code, "its place is free")
	assert.Len(t, *called, 1)
}

func TestABodyMustComeInTimeOverHTTP2(t *testing.T) {
	t.Parallel()
	for name, wrap := range writers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				receiver := newReceiver(t)
				handleRest(receiver)
				server, pipes := serverOnPipes(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { receiver.ServeHTTP(wrap(w), r) }))
				server.EnableHTTP2 = true
				server.StartTLS()
				defer server.Close()
				client := clientOf(server, pipes)
				for range 2 { // over one connection
					body, sender := io.Pipe()
					req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, body)
					require.NoError(t, err)
					req.Header = signed(t, nil).Header
					res, err := client.Do(req)
					require.NoError(t, err)
					require.NoError(t, errors.Join(res.Body.Close(), sender.Close()))
					assert.Equal(t, "HTTP/2.0", res.Proto)
					assert.Equal(t, 400, res.StatusCode)
				}
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				require.NoError(t, receiver.Shutdown(ctx))
			})
		})
	}
}

// There need not be a server: a gateway may call the receiver with its own
// body.
func TestABodyMustComeInTimeFromAnybody(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		come time.Duration // when the body ends
		want int
	}{
		"that never ends":                   {time.Hour, 400},
		"that ends after the deadline":      {webhook.DefaultDeadline + 1, 400},
		"that ends just before":             {webhook.DefaultDeadline - 1, 200},
		"that ends in time":                 {time.Second, 200},
		"that is there when it is read":     {0, 200},
		"that ends as the time of all does": {webhook.ServiceTimeout, 400},
	} {
		for mode, options := range map[string][]webhook.Option{
			"handled":       nil,
			"with an alarm": {webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool { return true })},
			"stored":        nil,
		} {
			t.Run(name+", "+mode, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					if mode == "stored" {
						options = []webhook.Option{webhook.WithQueue(newQueued(t).queue)}
					}
					var reported []*webhook.DeliveryError
					receiver := newReceiver(t, append(options, webhook.WithMaxDeliveries(1), failures(&reported))...)
					called := handleRest(receiver)
					req := signed(t, sample(t, "matter-updated"))
					req.Body = slowBody(req.Body, test.come)
					began := time.Now()
					assert.Equal(t, test.want, serve(receiver, req).Code)
					assert.LessOrEqual(t, time.Since(began), webhook.DefaultDeadline+20*time.Millisecond)
					if test.want == 400 {
						require.Len(t, reported, 1)
						require.ErrorIs(t, reported[0], webhook.ErrBodyUnreadable)
						assert.Equal(t, requestID, reported[0].RequestID)
					}
					assert.Equal(t, 200, serve(receiver, signedWith(t, key, clock(), "another", sample(t, "unknown-type"))).Code, "its place is free")
					<-time.After(time.Hour) // the body has ended, and is no longer read
					require.NoError(t, receiver.Shutdown(t.Context()))
					if mode != "stored" {
						assert.Len(t, *called, map[int]int{400: 1, 200: 2}[test.want])
					}
				})
			})
		}
	}
}
