package operations

import (
	"encoding/json"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func layouts() []Operation {
	values := []models.LayoutValueWrite{
		{Key: models.Some("Lots[0]/Use"), Value: models.Some("Commercial")},
		{Key: models.Some("Fixtures"), Value: models.Some("All of them"), State: json.RawMessage("true")},
	}
	events := []models.LayoutEventWrite{{ID: models.Some("event-1"), AppointmentID: models.Some("appointment-1")}}
	migration := practice.LayoutWriteOptions{SkipFieldValidation: true}
	return []Operation{
		{"Layouts.ListDesigns", "listLayoutDesigns", func(Firm) []any {
			return []any{practice.LayoutDesignListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}}
		}},
		{"Layouts.GetDesign", "getLayoutDesign", func(f Firm) []any {
			return []any{f.LayoutDesignID, practice.LayoutDesignOptions{MatterTypeID: f.MatterTypeID, State: "IL"}}
		}},
		{"Layouts.List", "listMatterLayouts", func(f Firm) []any {
			return []any{f.MatterID, practice.LayoutItemListOptions{}}
		}},
		{"Layouts.Create", "addMatterLayout", func(f Firm) []any {
			return []any{f.MatterID, models.LayoutItemWrite{
				ItemID: f.LayoutDesignID, LayoutDesignID: f.LayoutDesignID, ParentItemID: f.RoleID, ParentID: "Client", Values: values, Events: events,
			}, migration}
		}},
		{"Layouts.Get", "getMatterLayout", func(f Firm) []any {
			return []any{f.MatterID, f.LayoutItemID}
		}},
		{"Layouts.Patch", "patchMatterLayout", func(f Firm) []any {
			return []any{f.MatterID, f.LayoutItemID, models.LayoutItemPatch{
				ItemID: models.Some(f.LayoutItemID), ParentItemID: models.Some(f.RoleID), Values: models.Some(values), Events: models.Some(events),
			}, migration}
		}},
		{"Layouts.Delete", "deleteMatterLayout", func(f Firm) []any {
			return []any{f.MatterID, f.LayoutItemID}
		}},
		{"Layouts.ListContacts", "listLayoutContacts", func(f Firm) []any {
			return []any{f.MatterID, f.LayoutItemID, practice.LayoutContactListOptions{}}
		}},
		{"Layouts.AddContact", "addLayoutContact", func(f Firm) []any {
			return []any{f.MatterID, f.LayoutItemID, models.LayoutContactWrite{Key: "Agent", ContactID: f.ContactID}}
		}},
		{"Layouts.RemoveContact", "removeLayoutContact", func(f Firm) []any {
			return []any{f.MatterID, f.LayoutItemID, "Agent"}
		}},
	}
}
