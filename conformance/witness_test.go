package conformance_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// witness is a transport that validates every exchange with the API against the
// document, and records it in the ledger. It ignores requests to the token
// endpoint and the storage, which are not in the document.
type witness struct {
	document *document
	ledger   *ledger
	next     http.RoundTripper
	report   func(format string, args ...any)
}

func (w *witness) RoundTrip(request *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(request.URL.String(), w.document.base+"/") {
		return w.next.RoundTrip(request)
	}
	var sent []byte
	if request.Body != nil {
		var err error
		if sent, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
		_ = request.Body.Close()
	}
	passed := request.Clone(request.Context())
	if request.Body != nil {
		passed.Body = io.NopCloser(bytes.NewReader(sent))
	}
	response, err := w.next.RoundTrip(passed)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	w.testify(exchange{request: request, sent: sent, status: response.StatusCode, header: response.Header, answer: answer})
	return response, nil
}

func (w *witness) testify(x exchange) {
	v, err := w.document.judge(x)
	if err != nil {
		w.report("the document has no such operation: %v", err)
		return
	}
	for _, fault := range v.inRequest {
		w.report("%s: the request is not as described: %v", v.id, fault)
	}
	for _, fault := range v.inAnswer {
		w.report("%s: the answer %d is not as described: %v\n%s", v.id, x.status, fault, beginning(x.answer))
	}
	w.ledger.note(x, v)
}

// beginning returns the first 300 bytes of a text.
func beginning(text []byte) []byte { return text[:min(len(text), 300)] }

// observed returns a client of the service whose exchanges are validated. It
// does not retry.
func observed(t testing.TB, d *document, l *ledger, server *practicetest.Server, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	w := &witness{document: d, ledger: l, next: server.HTTPClient().Transport, report: t.Errorf}
	return server.Client(t, append([]practice.ClientOption{
		practice.WithHTTPClient(&http.Client{Transport: w}), practice.WithRetries(0),
	}, opts...)...)
}
