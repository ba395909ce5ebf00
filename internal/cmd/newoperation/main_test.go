package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write testdata anew")

func TestTheTextOfAnOperation(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"listActivityCodes", "createActivityCode", "listNotes", "getNote", "createNotes", "deleteNote"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			require.NoError(t, run(&got, os.DirFS("testdata"), []string{id}))
			golden := filepath.Join("testdata", id+".txt")
			if *update {
				require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			if string(want) != got.String() {
				t.Errorf("internal/cmd/newoperation/%s: is not what is printed\nrun go test ./internal/cmd/newoperation -update, and read git diff", golden)
			}
		})
	}
}

func TestWhatCannotBeAddedIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		arguments []string
		want      string
	}{
		"no operation":                 {nil, "id of an operation is required"},
		"two operations":               {[]string{"getNote", "deleteNote"}, "id of an operation is required"},
		"an operation that is unknown": {[]string{"getNothing"}, `does not contain the operation "getNothing"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.ErrorContains(t, run(new(bytes.Buffer), os.DirFS("testdata"), test.arguments), test.want)
		})
	}
}

func TestTheCommandOfCONTRIBUTINGPrintsAnOfferedOperation(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	require.Contains(t, string(guide), "`go run ./internal/cmd/newoperation ID`, which prints")
	var printed bytes.Buffer
	require.NoError(t, run(&printed, os.DirFS(root), []string{"listActivityCodes"}))
	assert.Contains(t, printed.String(), "== activitycodes.go: descriptor and methods")
	assert.NotContains(t, printed.String(), "practicetest/activitycodes.go", "its resource performs it")
}
