package practice_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestFilesAreFoundInTheWholeAccount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		query   string
		filters func(practicetest.Firm) models.SearchFilesFilters
		found   func(t *testing.T, name, extension string)
		some    bool
	}{
		{
			rule: "by name, in either case", query: "LETTER", some: true,
			found: func(t *testing.T, name, _ string) { assert.Contains(t, name, "Letter") },
		},
		{
			rule: "with an extension", query: "e", some: true,
			filters: func(practicetest.Firm) models.SearchFilesFilters {
				return models.SearchFilesFilters{IncludeFileExtensions: []string{".docx", ".pdf"}, ExcludeFileExtensions: []string{"pdf"}}
			},
			found: func(t *testing.T, _, extension string) { assert.Equal(t, ".docx", extension) },
		},
		{
			rule: "of an author who has none", query: "letter",
			filters: func(practicetest.Firm) models.SearchFilesFilters {
				return models.SearchFilesFilters{AuthorIDs: []string{testkit.UnknownID}}
			},
		},
		{
			rule: "of a contact who has none", query: "letter",
			filters: func(practicetest.Firm) models.SearchFilesFilters {
				return models.SearchFilesFilters{ContactIDs: []string{testkit.UnknownID}}
			},
		},
		{
			rule: "not by content, where only names are wanted", query: "lorem-ipsum-nowhere",
			filters: func(practicetest.Firm) models.SearchFilesFilters {
				return models.SearchFilesFilters{SearchFields: []models.FileSearchField{models.FileSearchFieldName}}
			},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				request := models.SearchFilesRequest{Query: test.query}
				if test.filters != nil {
					request.Filters = test.filters(server.Firm())
				}
				page, err := client.Search.ListFiles(t.Context(), request, practice.FileSearchListOptions{ListOptions: practice.ListOptions{Limit: 100}})
				require.NoError(t, err)
				testkit.AssertSent(t, server, "POST", "/search/files", "Limit=100")
				assert.Equal(t, test.some, len(page.Items) > 0)
				assert.True(t, page.Size.IsZero(), "there is no total")
				for _, item := range page.Items {
					var file models.File
					require.NoError(t, item.Decode(&file))
					test.found(t, file.Name, file.FileExtension)
				}
			})
		})
	}
}

// TestAWalkThroughASearchGoesOnWhilePagesAreFull checks that an empty page ends
// the walk, because the service sends no other sign of the end.
func TestAWalkThroughASearchGoesOnWhilePagesAreFull(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		request := models.SearchFilesRequest{Query: "letter"}
		whole, err := practice.Collect(client.Search.AllFiles(t.Context(), request, practice.FileSearchListOptions{}))
		require.NoError(t, err)
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), 2)
		server.ResetRequests()
		parts, err := practice.Collect(client.Search.AllFiles(t.Context(), request, practice.FileSearchListOptions{ListOptions: practice.ListOptions{Limit: len(whole) / 2}}))
		require.NoError(t, err)
		assert.Equal(t, whole, parts)
		assert.Len(t, testkit.RequestsTo(server, practicetest.PartAPI), 3)
		for _, sent := range testkit.RequestsTo(server, practicetest.PartAPI) {
			assert.JSONEq(t, `{"query":"letter"}`, string(json.RawMessage(sent.Body)), "every page is asked for with the whole request")
		}
	})
}
