package practice_test

import (
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// readingsOf are the paths that servers may make of an escaped one: as it is, or
// decoded with backslashes for slashes, each also with its dot segments
// followed.
func readingsOf(t *testing.T, escaped string) []string {
	t.Helper()
	readings := []string{escaped, path.Clean(escaped)}
	decoded, err := url.PathUnescape(escaped)
	require.NoError(t, err, "%q", escaped)
	decoded = strings.ReplaceAll(decoded, `\`, "/")
	return append(readings, decoded, path.Clean(decoded))
}

// FuzzPathValuesStayInTheirPlace puts any text into the path of a request. A
// value that is sent arrives as it is, in its place, and changes no other.
func FuzzPathValuesStayInTheirPlace(f *testing.F) {
	for _, seed := range append([]string{"a b", "Größe", "%2F", "%2e%2e", "a?b#c", "{x}", ";v=1", "+", "...", "a:b@c", "🧾", "~", "%"}, variants.BadIdentifiers()...) {
		f.Add(seed, "x")
		f.Add("x", seed)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		for _, base := range []string{"https://api.example.test", oddBase, "https://api.example.test/v%201/%C3%A4"} {
			service := &recorder{status: 200}
			client := service.client(t, base)
			request := practice.Request{Method: "GET", Path: "/a/{first}/b/{second}/c", PathValues: []string{first, second}}
			if err := client.Do(t.Context(), request, nil); err != nil {
				require.True(t, testkit.IsArgumentError(err), "%v", err)
				require.Empty(t, service.asked)
				continue
			}
			require.Len(t, service.asked, 1)
			sent := service.asked[0].URL
			assert.Empty(t, sent.RawQuery)
			assert.Empty(t, sent.Fragment)
			onTheWire, err := url.ParseRequestURI(sent.RequestURI())
			require.NoError(t, err)
			assert.Equal(t, sent.EscapedPath(), onTheWire.EscapedPath())
			rest, ok := strings.CutPrefix("https://api.example.test"+onTheWire.EscapedPath(), base)
			require.True(t, ok, "%s", sent)
			var plain []string
			for segment := range strings.SplitSeq(rest, "/") {
				text, err := url.PathUnescape(segment)
				require.NoError(t, err)
				plain = append(plain, text)
			}
			assert.Equal(t, []string{"", "a", first, "b", second, "c"}, plain)
			for _, reading := range readingsOf(t, rest) {
				assert.Equal(t, 5, strings.Count(strings.TrimSuffix(reading, "/"), "/"), "%q", reading)
			}
		}
	})
}
