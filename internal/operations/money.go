package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func money(Firm) rows {
	activity := models.ActivityCodeWrite{Code: "REV", Description: "Review", Type: models.Some(models.EntryTypeTime)}
	return rows{
		"listActivityCodes":  {practice.ActivityCodeListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}},
		"createActivityCode": {activity},
		"updateActivityCode": {activity},
	}
}
