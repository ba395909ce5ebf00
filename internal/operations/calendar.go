package operations

import (
	"time"

	practice "github.com/practicesdk/practice-go"
)

func calendar() []Operation {
	from := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	return []Operation{
		{"Events.List", "listEvents", func(f Firm) []any {
			return []any{practice.EventListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 5}, UpdatedSince: from, MatterID: f.MatterID, ExcludeDeleted: true, From: from, To: from.AddDate(1, 0, 0),
			}}
		}},
	}
}
