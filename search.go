package practice

import (
	"context"
	"iter"

	"github.com/practicesdk/practice-go/models"
)

func searchListFiles(request models.SearchFilesRequest) *list[models.Object] {
	return paged("Search.ListFiles", "Search.AllFiles", "/search/files", textMember("id"), byPost(&request))
}

// SearchService searches the files of the whole account.
//   - https://github.com/practicesdk/practice-go/blob/main/docs/reference/search.md
type SearchService service

// FileSearchListOptions choose the page of a list of found files.
type FileSearchListOptions struct{ ListOptions }

// ListFiles returns one page of the files of all matters that a search finds.
// It looks at names and contents. The form of the records is not published; it
// is probably that of a [models.File], so use Decode. The service returns no
// total. It needs the scope search/write although it changes nothing.
//   - API: POST /search/files
func (s *SearchService) ListFiles(ctx context.Context, request models.SearchFilesRequest, options FileSearchListOptions, opts ...CallOption) (*Page[models.Object], error) {
	return searchListFiles(request).page(ctx, s.client, options, opts)
}

// AllFiles yields all the files of all matters that a search finds. It reads
// Limit records per page from Offset. It ends with the first page that is not
// full, because the service returns no total.
//   - API: POST /search/files
func (s *SearchService) AllFiles(ctx context.Context, request models.SearchFilesRequest, options FileSearchListOptions, opts ...CallOption) iter.Seq2[models.Object, error] {
	return searchListFiles(request).walk(ctx, s.client, options, opts)
}
