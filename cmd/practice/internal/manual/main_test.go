package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

func TestEveryCommandHasAPage(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man")
	require.NoError(t, write(folder))
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	require.NoError(t, err)
	assert.Greater(t, len(pages), len(practice.Operations()))
	page, err := os.ReadFile(filepath.Join(folder, "practice-fees-patch.1"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "--set")
	assert.True(t, strings.HasPrefix(string(page), ".nh"))
	again := filepath.Join(t.TempDir(), "man")
	require.NoError(t, write(again))
	same, err := os.ReadFile(filepath.Join(again, "practice-fees-patch.1"))
	require.NoError(t, err)
	assert.Equal(t, string(page), string(same))
}
