package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func search(f Firm) rows {
	return rows{
		"searchFiles": {models.SearchFilesRequest{
			Query: "letter", Filters: models.SearchFilesFilters{
				SearchFields: []models.FileSearchField{models.FileSearchFieldName}, IncludeFileExtensions: []string{".pdf", ".docx"},
				ExcludeFileExtensions: []string{".docx"}, AuthorIDs: []string{f.UserID}, ContactIDs: []string{f.ContactID},
			},
		}, practice.FileSearchListOptions{ListOptions: practice.ListOptions{Limit: 5}}},
	}
}
