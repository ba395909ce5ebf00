package acceptance_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestATreeIsBuiltFromTheTop checks that a folder can be used as soon as
// EnsureFolder returns it.
func TestATreeIsBuiltFromTheTop(t *testing.T) {
	t.Parallel()
	for _, settle := range []time.Duration{0, -1} {
		t.Run(fmt.Sprint("settle ", settle), func(t *testing.T) {
			t.Parallel()
			inEachKindness(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
				ctx, matter := t.Context(), s.Firm().MatterID
				top, err := c.Documents.EnsureFolder(ctx, matter, tree, practice.EnsureFolderOptions{ListWait: settle})
				require.NoError(t, err)
				below := models.FolderWrite{Name: "2026", ParentFolderID: top}
				inner, err := c.Documents.EnsureFolder(ctx, matter, below, practice.EnsureFolderOptions{})
				require.NoError(t, err)
				require.NoError(t, testkit.Discard(practice.Collect(c.Documents.AllEntries(ctx, matter, inner))))
				require.NoError(t, testkit.Discard(c.Documents.Upload(ctx, matter, practice.Upload{Name: "a.txt", FolderID: inner, Body: strings.NewReader("a")})))
				again, err := c.Documents.EnsureFolder(ctx, matter, below, practice.EnsureFolderOptions{})
				require.NoError(t, err)
				assert.Equal(t, inner, again)
				requireOneFolder(t, s, c, "Tree", top)
			})
		})
	}
}

func TestEnsuringAPath(t *testing.T) {
	t.Parallel()
	inEachKindness(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
		f := s.Firm()
		ctx := t.Context()
		id, err := c.Documents.EnsurePath(ctx, f.MatterID, "Letters/2026/July", practice.EnsureFolderOptions{})
		require.NoError(t, err)
		july, _ := s.Folder(id)
		year, _ := s.Folder(july.ParentID)
		assert.Equal(t, []string{"July", "2026", f.FolderID}, []string{july.Name, year.Name, year.ParentID})
		again, err := c.Documents.EnsurePath(ctx, f.MatterID, "Letters/2026/July", practice.EnsureFolderOptions{})
		require.NoError(t, err)
		assert.Equal(t, id, again)
		top, err := c.Documents.EnsurePath(ctx, f.MatterID, "Letters", practice.EnsureFolderOptions{})
		require.NoError(t, err)
		assert.Equal(t, f.FolderID, top)

		s.ResetRequests()
		for _, bad := range []string{"", "/", "/Letters", "Letters/", "Letters//2026", "Letters/\xff", "Letters/" + strings.Repeat("x", practice.MaxFolderName+1)} {
			err := testkit.Discard(c.Documents.EnsurePath(ctx, f.MatterID, bad, practice.EnsureFolderOptions{}))
			require.True(t, testkit.IsArgumentError(err), "%q: %v", bad, err)
			require.ErrorContains(t, err, "Documents.EnsurePath: path contains the folder name ")
		}
		assert.Empty(t, s.Requests())

		s.AddFolder(f.MatterID, models.FolderWrite{Name: "July", ParentFolderID: july.ParentID})
		s.Settle()
		err = testkit.Discard(c.Documents.EnsurePath(ctx, f.MatterID, "Letters/2026/July", practice.EnsureFolderOptions{}))
		require.ErrorContains(t, err, "2 folders")
		var asked string
		_, err = c.Documents.EnsurePath(ctx, f.MatterID, "Letters/2026/July", practice.EnsureFolderOptions{Ambiguous: func(path string, ids []string) string {
			asked = path
			return ids[1]
		}})
		require.NoError(t, err)
		assert.Equal(t, "Letters/2026/July", asked)
	})
}

// TestAFaultAtEachRequestOfEnsurePathMakesNoSecondFolder checks that a program
// that calls until it succeeds gets one folder, whatever request fails and
// however late the service lists the folder.
func TestAFaultAtEachRequestOfEnsurePathMakesNoSecondFolder(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]practicetest.Fault{
		"no answer":        {Kind: practicetest.FaultResetAfter},
		"no request":       {Kind: practicetest.FaultResetBefore},
		"half an answer":   {Kind: practicetest.FaultTruncated},
		"500":              {Status: http.StatusInternalServerError},
		"503":              {Status: http.StatusServiceUnavailable},
		"429":              {Kind: practicetest.FaultRateLimit},
		"three no answers": {Kind: practicetest.FaultResetAfter, Times: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inEachKindness(t, func(t *testing.T, s *practicetest.Server, c *practice.Client) {
				matter := s.Firm().MatterID
				for skip := 0; ; skip++ {
					names := fmt.Sprintf("Tree %d/2026", skip)
					s.ClearFaults()
					fault := fault
					fault.Skip = skip
					s.Inject(fault)
					var id string
					err := errors.New("not called")
					for calls := 0; err != nil && calls < 4; calls++ {
						id, err = c.Documents.EnsurePath(t.Context(), matter, names, practice.EnsureFolderOptions{})
						require.True(t, err == nil || strings.Contains(err.Error(), "practice: Documents.EnsurePath: "), "%v", err)
					}
					require.NoError(t, err)
					s.Settle()
					inner, there := s.Folder(id)
					require.True(t, there)
					requireOneFolder(t, s, c, fmt.Sprint("Tree ", skip), inner.ParentID)
					if len(s.Faults()) > 0 {
						return // the call needed fewer requests
					}
				}
			})
		})
	}
}
