package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

var update = flag.Bool("update", false, "write testdata anew")

func TestTheTextOfAnOperation(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"listActivityCodes", "createActivityCode", "listNotes", "getNote", "createNotes", "deleteNote"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			require.NoError(t, run(&got, os.DirFS("testdata/api"), []string{id}))
			golden := filepath.Join("testdata", id+".txt")
			if *update {
				require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got.String(), "run: go test ./internal/cmd/newoperation -update")
		})
	}
}

func TestWhatCannotBeAddedIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		arguments []string
		want      string
	}{
		"no operation":                 {nil, "which operation?"},
		"two operations":               {[]string{"getNote", "deleteNote"}, "which operation?"},
		"an operation that is unknown": {[]string{"getNothing"}, `no operation "getNothing"`},
		"an operation that is offered": {[]string{"listNoteKinds"}, "listNoteKinds is offered already, as Notes.ListKinds"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.ErrorContains(t, run(new(bytes.Buffer), os.DirFS("testdata/api"), test.arguments), test.want)
		})
	}
}

// Every operation that is not offered yet has a text, whose declarations are Go.
func TestEveryPlannedOperationHasAText(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS("../../../api"))
	require.NoError(t, err)
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if o.Planned && !o.Unusable {
				assert.NoError(t, newSketch(document, o).print(io.Discard), o.ID)
			}
		}
	}
}
