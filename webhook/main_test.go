package webhook_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/testmain"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}

const (
	clientID  = "client0001"
	key       = "k-0123456789"
	requestID = "6e546416-8149-5540-a814-155abb8460f5"
	sentTicks = models.Ticks(638912345678901234)
)

// clock is the clock of the receivers under test, stopped at the send time of
// the deliveries.
func clock() time.Time { return sentTicks.Time() }

func newReceiver(tb testing.TB, options ...webhook.Option) *webhook.Receiver {
	tb.Helper()
	r, err := webhook.NewReceiver(clientID, webhook.Keys(key), append([]webhook.Option{
		webhook.WithClock(clock),
	}, options...)...)
	require.NoError(tb, err)
	return r
}

// signed returns a delivery of body, sent now.
func signed(tb testing.TB, body []byte) *http.Request {
	tb.Helper()
	return signedWith(tb, key, clock(), requestID, body)
}

func signedWith(tb testing.TB, key string, sent time.Time, requestID string, body []byte) *http.Request {
	tb.Helper()
	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(tb, err)
	req := httptest.NewRequest(http.MethodPost, "/hooks", bytes.NewReader(body))
	require.NoError(tb, signer.Sign(req.Header, sent, requestID))
	return req
}

func serve(handler http.Handler, req *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, req)
	return w
}

func sample(tb testing.TB, name string) []byte {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "notifications", name+".json"))
	require.NoError(tb, err)
	return text
}

func httpBody(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
