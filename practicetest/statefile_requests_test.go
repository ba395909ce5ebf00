package practicetest

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatCannotBeKeptIsNotAnswered(t *testing.T) {
	t.Parallel()
	s, err := Start(WithStateFile(filepath.Join(t.TempDir(), "firm.state")), WithControl())
	require.NoError(t, err)
	ask := func(method, path, content string) int {
		r, err := http.NewRequestWithContext(t.Context(), method, s.ControlURL()+path, strings.NewReader(content))
		require.NoError(t, err)
		r.Header.Set("X-Api-Key", s.Credentials().APIKey)
		r.Header.Set("Content-Type", "application/json")
		answer, err := s.HTTPClient().Do(r)
		require.NoError(t, err)
		told, err := io.ReadAll(answer.Body)
		require.NoError(t, err, "the header is that of this answer")
		require.NoError(t, answer.Body.Close())
		if answer.StatusCode == http.StatusInternalServerError {
			assert.Contains(t, string(told), "The state cannot be saved: ")
			assert.Equal(t, "text/plain; charset=utf-8", answer.Header.Get("Content-Type"))
		}
		return answer.StatusCode
	}
	assert.Equal(t, http.StatusNoContent, ask("POST", "/settle", ""))
	require.NoError(t, s.kept.file.Close()) // simulates a disk that has failed
	assert.Equal(t, http.StatusInternalServerError, ask("POST", "/clock", `{"advanceMilliseconds": 1}`))
	assert.Equal(t, http.StatusInternalServerError, ask("POST", "/settle", ""))
	assert.Equal(t, http.StatusInternalServerError, ask("POST", "/tokens/revoke", ""))
	assert.Equal(t, http.StatusOK, ask("GET", "/clock", ""), "reads go on")
	s.mu.Lock()
	assert.Len(t, s.grants.grants[0].refresh, 1)
	s.mu.Unlock()
	require.Error(t, s.Close(), "the program learns of it")
}
