package otel_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/models"
)

// Alerts use error.type, so each kind of connection failure has its own value.
// These failures are real.
func TestFailuresOfAConnectionAreToldApart(t *testing.T) {
	t.Parallel()
	const closed = "http://127.0.0.1:1" // a port that the system does not assign
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	breaks := func(how func(*net.TCPConn)) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				how(conn.(*net.TCPConn))
				_ = conn.Close()
			}
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_client"}`)
	}))
	t.Cleanup(refuses.Close)
	grant := func(address string) practice.ClientOption {
		return practice.WithTokens(auth.ClientCredentials{TokenURL: address, ClientID: "id", ClientSecret: models.NewSecret("s-0123456789")})
	}
	for name, test := range map[string]struct {
		base          string
		option        practice.ClientOption
		call, attempt string
	}{
		"a name that is not known":       {"https://nowhere.invalid", nil, "dns", "dns"},
		"nobody listens":                 {closed, nil, "connection_refused", "connection_refused"},
		"reset":                          {breaks(func(c *net.TCPConn) { _ = c.SetLinger(0) }), nil, "connection_reset", "connection_reset"},
		"closed without an answer":       {breaks(func(*net.TCPConn) {}), nil, "connection_reset", "connection_reset"},
		"a certificate of nobody":        {secure.URL, nil, "tls", "tls"},
		"no TLS on the other side":       {"https" + breaks(func(*net.TCPConn) {})[len("http"):], nil, "", ""},
		"a token endpoint that refuses":  {closed, grant(refuses.URL), "token_400", "400"},
		"a token endpoint that is down":  {closed, grant(closed), "token", "connection_refused"},
		"a limiter that is out of order": {closed, practice.WithLimiter(broken{}), "*errors.errorString", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			wire := &http.Transport{}
			t.Cleanup(wire.CloseIdleConnections)
			options := []practice.ClientOption{
				practice.WithAPIKey("k-0123456789"), practice.WithTracer(b), practice.WithRetries(0), practice.WithHTTPClient(&http.Client{Transport: wire}),
			}
			if test.option == nil {
				test.option = practice.WithAccessToken("t-0123456789")
			}
			client, err := practice.NewClient(test.base, append(options, test.option)...)
			require.NoError(t, err)
			_, err = client.Staff.Get(t.Context(), "1")
			require.Error(t, err)
			ended := b.spans.Ended()
			got := attributes(ended[len(ended)-1])["error.type"]
			if test.call == "" {
				assert.NotContains(t, got, "*", "%v", err)
				return
			}
			assert.Equal(t, test.call, got, "%v", err)
			if test.attempt != "" {
				sent := slices.IndexFunc(ended, func(s trace.ReadOnlySpan) bool { return s.SpanKind() == oteltrace.SpanKindClient })
				require.GreaterOrEqual(t, sent, 0)
				assert.Equal(t, test.attempt, attributes(ended[sent])["error.type"], "%v", err)
			}
		})
	}
}

type broken struct{}

func (broken) Wait(context.Context) error { return errors.New("out of order") }

func TestFailuresOfTheClientItselfHaveWords(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"argument":          &practice.ArgumentError{},
		"configuration":     &practice.ConfigError{},
		"unreadable_answer": &practice.DecodeError{Err: io.ErrUnexpectedEOF},
		"unreadable_record": errors.Join(&practice.RecordError{Err: io.ErrUnexpectedEOF}),
		"incomplete_list":   &practice.PagingError{Err: practice.ErrEmptyPage},
		"body_too_large":    &practice.NoAnswerError{Err: practice.ErrBodyTooLarge},
		"302":               &practice.Error{StatusCode: http.StatusFound},
	} {
		b := newBench(t)
		o := practice.Observation{Operation: "Staff.Get", Kind: practice.ObservedPage, Method: http.MethodGet}
		ctx := b.Start(t.Context(), o, nil)
		o.Err, o.Records, o.Unreadable = err, 2, 1
		b.End(ctx, o)
		assert.Equal(t, want, attributes(b.spans.Ended()[0])["error.type"])
		_, counted := b.metrics(t)["practice.client.pages"]
		assert.Equal(t, want == "unreadable_record", counted, "a page that arrived is one, whatever became of a record")
	}
}
