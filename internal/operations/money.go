package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func money() []Operation {
	activity := models.ActivityCodeWrite{Code: "REV", Description: "Review", Type: models.Some(models.EntryTypeTime)}
	return []Operation{
		{"ActivityCodes.List", "listActivityCodes", func(Firm) []any {
			return []any{practice.ActivityCodeListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}}
		}},
		{"ActivityCodes.Create", "createActivityCode", func(Firm) []any {
			return []any{activity}
		}},
		{"ActivityCodes.Get", "getActivityCode", func(f Firm) []any {
			return []any{f.ActivityCodeID}
		}},
		{"ActivityCodes.Update", "updateActivityCode", func(f Firm) []any {
			return []any{f.ActivityCodeID, activity}
		}},
		{"ActivityCodes.Delete", "deleteActivityCode", func(f Firm) []any {
			return []any{f.ActivityCodeID}
		}},
	}
}
