package testkit

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// OddBase is the base address of a service that does not exist.
const OddBase = "https://api.example.test/practice/v1"

// Recorder gives every request the same response and records the requests.
type Recorder struct {
	Status int
	Body   string
	Asked  []*http.Request
	Bodies []string
}

// RoundTrip records req and returns the response.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	r.Asked = append(r.Asked, req)
	if req.Body != nil {
		text := make([]byte, req.ContentLength)
		if _, err := req.Body.Read(text); err != nil && len(text) > 0 {
			return nil, err
		}
		r.Bodies = append(r.Bodies, string(text))
	}
	return AnswerOf(r.Status, r.Body), nil
}

// Addresses returns the addresses of the requests.
func (r *Recorder) Addresses() []string {
	var all []string
	for _, req := range r.Asked {
		all = append(all, req.URL.String())
	}
	return all
}

// Client returns a client that sends its requests to r.
func (r *Recorder) Client(t testing.TB, base string, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	opts = append([]practice.ClientOption{practice.WithHTTPClient(&http.Client{Transport: r}), practice.WithAccessToken("token")}, opts...)
	client, err := practice.NewClient(base, opts...)
	require.NoError(t, err)
	return client
}

// ReadingsOf returns the paths that a server may understand: the escaped path
// unchanged, or unescaped with backslashes as slashes, and both with their dot
// segments resolved.
func ReadingsOf(t *testing.T, escaped string) []string {
	t.Helper()
	readings := []string{escaped, path.Clean(escaped)}
	decoded, err := url.PathUnescape(escaped)
	require.NoError(t, err, "%q", escaped)
	decoded = strings.ReplaceAll(decoded, `\`, "/")
	return append(readings, decoded, path.Clean(decoded))
}
