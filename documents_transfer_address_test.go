package practice_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// answerOf is an answer of the storage.
func answerOf(status int, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// withStorage is a client of a service that always gives the same answer, and
// of a storage written by hand.
func withStorage(t *testing.T, answer string, storage roundTripper, opts ...practice.ClientOption) *practice.Client {
	t.Helper()
	transport := roundTripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Host == "api.example.test" {
			return answerOf(200, answer), nil
		}
		return storage(req)
	})
	opts = append([]practice.ClientOption{practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: transport})}, opts...)
	client, err := practice.NewClient("https://api.example.test/v1", opts...)
	require.NoError(t, err)
	return client
}

// uploadTo and downloadFrom are answers that name an address of the storage.
func uploadTo(address string) string {
	return fmt.Sprintf(`{"fileId":"f1","uploadUrl":%q,"expiry":"2026-01-01T00:00:00Z"}`, address)
}

func downloadFrom(address string, size int) string {
	return fmt.Sprintf(`{"fileId":"f1","downloadUrl":%q,"expiry":"2026-01-01T00:00:00Z","sizeBytes":%d}`, address, size)
}

const signedAddress = "https://files.example.test/b/f1%3D?Expires=1790000000&Signature=sQ%2BUez%2Fy1%3D"

func TestWhichStorageAddressesAreUsed(t *testing.T) {
	t.Parallel()
	hosts := func(names ...string) []practice.ClientOption {
		return []practice.ClientOption{practice.WithStorageHosts(names...)}
	}
	for _, test := range []struct {
		name, address string
		opts          []practice.ClientOption
		refused       bool
	}{
		{"https", signedAddress, nil, false},
		{"plain http", "http://files.example.test/b?Signature=x", nil, true},
		{"plain http on this machine", "http://127.0.0.1:9000/b?Signature=x", nil, false},
		{"plain http where the caller allows it", "http://files.example.test/b?Signature=x", []practice.ClientOption{practice.WithInsecureHTTP()}, false},
		{"a named host", signedAddress, hosts("files.example.test"), false},
		{"a named host in other letters", signedAddress, hosts("Files.EXAMPLE.test"), false},
		{"one of several", signedAddress, hosts("a.example.test", "files.example.test"), false},
		{"another host", signedAddress, hosts("a.example.test"), true},
		{"a host that ends like a named one", "https://evil-files.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a host below a named one", "https://a.files.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a named host on any port", "https://files.example.test:8443/b?Signature=x", hosts("files.example.test"), false},
		{"a named port", "https://files.example.test:8443/b?Signature=x", hosts("files.example.test:8443"), false},
		{"another port than the named one", "https://files.example.test:9/b?Signature=x", hosts("files.example.test:8443"), true},
		{"a named host over plain http", "http://files.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a user in the address", "https://user:pw@files.example.test/b?Signature=x", nil, true},
		{"a named host as a user", "https://files.example.test@evil.example.test/b?Signature=x", hosts("files.example.test"), true},
		{"a fragment", "https://files.example.test/b?Signature=x#y", nil, true},
		{"a named host before a backslash", `https://files.example.test\.evil.test/b?Signature=x`, hosts("files.example.test"), true},
		{"a named host before a dot", "https://files.example.test.evil.test/b?Signature=x", hosts("files.example.test"), true},
		{"an end of a line", "https://files.example.test/b?Signature=x\r\nX-Evil: 1", nil, true},
		{"a control character", "https://files.example.test/b?Signature=x\ty", nil, true},
		{"no scheme", "//files.example.test/b?Signature=x", nil, true},
		{"a relative address", "/b?Signature=x", nil, true},
		{"another scheme", "file:///etc/b?Signature=x", nil, true},
		{"what would be sent in other bytes", "https://files.example.test/ä b?Signature=x", nil, true},
		{"none", "", nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var sent []string
			storage := func(req *http.Request) (*http.Response, error) {
				sent = append(sent, req.URL.Scheme+"://"+req.URL.Host+req.URL.RequestURI())
				if req.Body != nil {
					_, _ = io.Copy(io.Discard, req.Body)
				}
				return answerOf(200, "content"), nil
			}
			_, err := withStorage(t, uploadTo(test.address), storage, test.opts...).Documents.Upload(t.Context(), "m1", practice.Upload{
				Name: "a.txt", Body: strings.NewReader("content"),
			})
			_, errDown := withStorage(t, downloadFrom(test.address, 7), storage, test.opts...).Documents.Download(t.Context(), "m1", "f1", io.Discard, practice.DownloadOptions{})
			if !test.refused {
				require.NoError(t, err)
				require.NoError(t, errDown)
				assert.Equal(t, []string{test.address, test.address}, sent, "byte for byte")
				return
			}
			assert.Empty(t, sent)
			for operation, err := range map[string]error{"Documents.Upload": err, "Documents.Download": errDown} {
				require.ErrorIs(t, err, practice.ErrStorageAddress)
				assert.Equal(t, "f1", failedTransfer(t, err, operation).FileID)
				assert.NotContains(t, err.Error(), "example.test")
			}
		})
	}
}
