package practicetest

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatCannotBeKeptIsNotAnswered(t *testing.T) {
	t.Parallel()
	s, err := Start(WithStateFile(filepath.Join(t.TempDir(), "firm.state")), WithControl())
	require.NoError(t, err)
	ask := func(method, path string) int {
		r, err := http.NewRequestWithContext(t.Context(), method, s.ControlURL()+path, http.NoBody)
		require.NoError(t, err)
		r.Header.Set("X-Api-Key", s.Credentials().APIKey)
		answer, err := s.HTTPClient().Do(r)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	assert.Equal(t, http.StatusNoContent, ask("POST", "/settle"))
	require.NoError(t, s.kept.file.Close()) // the disk is gone
	assert.Equal(t, http.StatusInternalServerError, ask("POST", "/settle"))
	assert.Equal(t, http.StatusInternalServerError, ask("POST", "/tokens/revoke"))
	assert.Equal(t, http.StatusOK, ask("GET", "/clock"), "reads go on")
	s.mu.Lock()
	assert.Len(t, s.grants.grants[0].refresh, 1)
	s.mu.Unlock()
	require.Error(t, s.Close(), "the program learns of it")
}
