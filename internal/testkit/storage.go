package testkit

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// WithStorage returns a client for a service with a constant response and a
// storage with a handler.
func WithStorage(t *testing.T, answer string, storage RoundTripper, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	transport := RoundTripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Host == "api.example.test" {
			return AnswerOf(200, answer), nil
		}
		return storage(req)
	})
	opts = append([]practice.ClientOption{practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: transport})}, opts...)
	client, err := practice.NewClient("https://api.example.test/v1", opts...)
	require.NoError(t, err)
	return client
}

// UploadTo returns the response of the service with the URL of an upload.
func UploadTo(address string) string {
	return fmt.Sprintf(`{"fileId":"f1","uploadUrl":%q,"expiry":"2026-01-01T00:00:00Z"}`, address)
}

// DownloadFrom returns the response of the service with the URL of a download.
func DownloadFrom(address string, size int) string {
	return fmt.Sprintf(`{"downloadUrl":%q,"expiry":"2026-01-01T00:00:00Z","sizeBytes":%d}`, address, size)
}

// SignedAddress is a URL of the storage whose query is a secret.
const SignedAddress = "https://files.example.test/b/f1%3D?Expires=1790000000&Signature=sQ%2BUez%2Fy1%3D"
