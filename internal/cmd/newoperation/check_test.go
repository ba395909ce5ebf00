package main

import (
	"bytes"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/soak"
)

func TestNoPlaceIsMissingOfAnOfferedOperation(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../../..")
	api, err := fs.Sub(root, "api")
	require.NoError(t, err)
	document, err := description.Load(api)
	require.NoError(t, err)
	for _, o := range soak.Slice(t, 24, slices.Collect(document.Operations()), func(o *description.Operation) string { return o.ID }) {
		var missing bytes.Buffer
		assert.NoError(t, check(&missing, root, document, o), "%s", missing.String())
	}
}

// without is a module in which some files are empty.
type without struct {
	fs.FS
	empty string
}

func (w without) ReadFile(name string) ([]byte, error) {
	if name == w.empty {
		return nil, nil
	}
	return fs.ReadFile(w.FS, name)
}

func TestEachMissingPlaceIsNamedWithItsRemedy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ id, empty, remedy string }{
		{"listActivityCodes", "internal/operations/testdata/published.txt", "copy the line from the published document"},
		{"listActivityCodes", "internal/operations/testdata/published_members.txt", "copy the names of its members"},
		{"listActivityCodes", "client.go", "attachServices"},
		{"listActivityCodes", "activitycodes.go", "paste what"},
		{"listActivityCodes", "zz_operations.go", "run .ci/generate"},
		{"listActivityCodes", "practicetest/areas.go", "practicetest/activitycodes.go"},
		{"listActivityCodes", "practicetest/zz_routes.go", "run .ci/generate"},
		{"listActivityCodes", "docs/reference/activitycodes.md", "run .ci/generate"},
		{"listActivityCodes", "replica/testdata/members.txt", "has no ActivityCode\n\tmark the members"},
		{"getActivityCode", "practicetest/firm.go", "has no OtherFirmActivitycodeID\n\tadd the id of a seeded record"},
		{"searchFiles", "docs/retries.md", "has no `Search.ListFiles`\n\tadd the method"},
	} {
		t.Run(test.empty, func(t *testing.T) {
			t.Parallel()
			var missing bytes.Buffer
			require.Error(t, run(&missing, without{os.DirFS("../../.."), test.empty}, []string{"-check", test.id}))
			assert.Contains(t, missing.String(), test.empty+": has no ")
			assert.Contains(t, missing.String(), test.remedy)
		})
	}
}
