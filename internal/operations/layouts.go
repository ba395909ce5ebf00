package operations

import (
	"encoding/json"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func layouts(f Firm) rows {
	values := []models.LayoutValueWrite{
		{Key: models.Some("Lots[0]/Use"), Value: models.Some("Commercial")},
		{Key: models.Some("Fixtures"), Value: models.Some("All of them"), State: json.RawMessage("true")},
	}
	events := []models.LayoutEventWrite{{ID: models.Some("event-1"), AppointmentID: models.Some("appointment-1")}}
	migration := practice.LayoutWriteOptions{SkipFieldValidation: true}
	return rows{
		"listLayoutDesigns": {practice.LayoutDesignListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}},
		"getLayoutDesign":   {practice.LayoutDesignOptions{MatterTypeID: f.MatterTypeID, State: "IL"}},
		"addMatterLayout": {models.LayoutItemWrite{
			ItemID: f.LayoutDesignID, LayoutDesignID: f.LayoutDesignID, ParentItemID: f.RoleID, ParentID: "Client", Values: values, Events: events,
		}, migration},
		"patchMatterLayout": {models.LayoutItemPatch{
			ItemID: models.Some(f.LayoutItemID), ParentItemID: models.Some(f.RoleID), Values: models.Some(values), Events: models.Some(events),
		}, migration},
		"addLayoutContact":    {models.LayoutContactWrite{Key: "Agent", ContactID: f.ContactID}},
		"removeLayoutContact": {f.MatterID, f.LayoutItemID, "Agent"},
	}
}
