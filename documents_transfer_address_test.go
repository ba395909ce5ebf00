package practice_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

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
		{"https", testkit.SignedAddress, nil, false},
		{"plain http", "http://files.example.test/b?Signature=x", nil, true},
		{"plain http on this machine", "http://127.0.0.1:9000/b?Signature=x", nil, false},
		{"plain http where the caller allows it", "http://files.example.test/b?Signature=x", []practice.ClientOption{practice.WithInsecureHTTP()}, false},
		{"a named host", testkit.SignedAddress, hosts("files.example.test"), false},
		{"a named host in other letters", testkit.SignedAddress, hosts("Files.EXAMPLE.test"), false},
		{"one of several", testkit.SignedAddress, hosts("a.example.test", "files.example.test"), false},
		{"another host", testkit.SignedAddress, hosts("a.example.test"), true},
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
				return testkit.AnswerOf(200, "content"), nil
			}
			_, err := testkit.WithStorage(t, testkit.UploadTo(test.address), storage, test.opts...).Documents.Upload(t.Context(), "m1", practice.Upload{
				Name: "a.txt", Body: strings.NewReader("content"),
			})
			_, errDown := testkit.WithStorage(t, testkit.DownloadFrom(test.address, 7), storage, test.opts...).Documents.Download(t.Context(), "m1", "f1", io.Discard, practice.DownloadOptions{})
			if !test.refused {
				require.NoError(t, err)
				require.NoError(t, errDown)
				assert.Equal(t, []string{test.address, test.address}, sent, "byte for byte")
				return
			}
			assert.Empty(t, sent)
			for operation, err := range map[string]error{"Documents.Upload": err, "Documents.Download": errDown} {
				require.ErrorIs(t, err, practice.ErrStorageAddress)
				assert.Equal(t, "f1", testkit.FailedTransfer(t, err, operation).FileID)
				assert.NotContains(t, err.Error(), "example.test")
			}
		})
	}
}
