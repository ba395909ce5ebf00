package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func matterTypes() []Operation {
	return []Operation{
		{"MatterTypes.List", "listMatterTypes", func(Firm) []any {
			return []any{practice.MatterTypeListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Name: "a", Location: "IL", Category: "Property",
				Type: models.Some(models.MatterTypeKindMatterType),
			}}
		}},
		{"MatterTypes.Get", "getMatterType", func(f Firm) []any {
			return []any{f.MatterTypeID}
		}},
		{"MatterTypes.ListCategories", "listMatterTypeCategories", func(Firm) []any {
			return []any{practice.MatterTypeCategoryListOptions{}}
		}},
	}
}

func matters() []Operation {
	return []Operation{
		{"Matters.List", "listMatters", func(f Firm) []any {
			return []any{practice.MatterListOptions{
				ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Search: "1", MatterTypeID: f.MatterTypeID, ContactID: f.ContactID,
				Status: []models.MatterStatus{models.MatterStatusOpen, models.MatterStatusPending}, Type: models.MatterListTypeMattersLeads,
				Sort: models.MatterSortLastUpdated, Fields: []models.MatterField{models.MatterFieldItems, models.MatterFieldTags},
			}}
		}},
		{"Matters.Create", "createMatter", func(f Firm) []any {
			return []any{newMatter(f)}
		}},
		{"Matters.Get", "getMatter", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Matters.Update", "updateMatter", func(f Firm) []any {
			return []any{f.MatterID, newMatter(f)}
		}},
		{"Matters.Patch", "patchMatter", func(f Firm) []any {
			return []any{f.MatterID, models.MatterPatch{
				Status:     models.Some(models.MatterStatusPending),
				ReferrerID: models.Some(f.ContactID), ClientIDs: models.Some([]string{f.ContactID}), OtherSideIDs: models.Some([]string{f.RelatedContactID}),
				PersonAssistingStaffID: models.Some(f.StaffID), PersonAssistingStaffIDs: models.Some(colleagues(f)),
				OriginatingStaffID: models.Some(f.StaffID), OriginatingStaffIDs: models.Some(colleagues(f)),
			}}
		}},
		{"Matters.Delete", "deleteMatter", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Matters.GetItems", "listMatterItems", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Matters.GetItem", "getMatterItem", func(f Firm) []any {
			return []any{f.MatterID, f.MatterItemID}
		}},
		{"Matters.ListTags", "listMatterTags", func(f Firm) []any {
			return []any{f.MatterID, practice.MatterTagListOptions{}}
		}},
		{"Matters.AddTags", "addMatterTags", func(f Firm) []any {
			return []any{f.MatterID, []models.MatterTagWrite{
				{Name: "Urgent", Color: "Light Blue", Type: models.MatterTagTypeCustom}, {ID: f.StaffID, Type: models.MatterTagTypeStaff},
			}}
		}},
		{"Matters.RemoveTag", "removeMatterTag", func(f Firm) []any {
			return []any{f.MatterID, f.MatterTagID}
		}},
	}
}

func matterDetails() []Operation {
	return []Operation{
		{"Matters.GetSearchMapping", "getSearchMapping", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Matters.GetArchive", "getMatterArchive", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Matters.UpdateArchive", "updateMatterArchive", func(f Firm) []any {
			return []any{f.MatterID, models.MatterArchiveWrite{IsArchived: true, ArchiveBoxNumber: "24"}}
		}},
		{"Matters.PatchArchive", "patchMatterArchive", func(f Firm) []any {
			return []any{f.MatterID, models.MatterArchivePatch{IsArchived: models.Some(true)}}
		}},
		{"Matters.GetBillingConfiguration", "getBillingConfiguration", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Matters.UpdateBillingConfiguration", "updateBillingConfiguration", func(f Firm) []any {
			return []any{f.MatterID, models.BillingConfigurationWrite{BillingType: models.Some(models.BillingTypeTimeBased), DebtorIDs: []string{f.ContactID}}}
		}},
		{"Matters.PatchBillingConfiguration", "patchBillingConfiguration", func(f Firm) []any {
			return []any{f.MatterID, models.BillingConfigurationPatch{BillingType: models.Some(models.BillingTypeFixedFee), DebtorIDs: models.Some([]string{f.ContactID})}}
		}},
	}
}

func memos() []Operation {
	return []Operation{
		{"Memos.List", "listMemos", func(f Firm) []any {
			return []any{f.MatterID, practice.MemoListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}}
		}},
		{"Memos.Create", "createMemo", func(f Firm) []any {
			return []any{f.MatterID, models.MemoWrite{Title: "Call", Text: "The client agrees."}}
		}},
		{"Memos.Get", "getMemo", func(f Firm) []any {
			return []any{f.MatterID, f.MemoID}
		}},
		{"Memos.Update", "updateMemo", func(f Firm) []any {
			return []any{f.MatterID, f.MemoID, models.MemoWrite{Title: "Call", Text: "The client agrees."}}
		}},
		{"Memos.Delete", "deleteMemo", func(f Firm) []any {
			return []any{f.MatterID, f.MemoID}
		}},
	}
}

func stages() []Operation {
	return []Operation{
		{"ReferralTypes.List", "listReferralTypes", func(Firm) []any {
			return []any{practice.ReferralTypeListOptions{}}
		}},
		{"ReferralTypes.Get", "getReferralType", func(f Firm) []any {
			return []any{f.ReferralTypeID}
		}},
		{"Stages.ListMatterStages", "listMatterStages", func(Firm) []any {
			return []any{practice.StageListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}}
		}},
		{"Stages.GetMatterStage", "getMatterStage", func(f Firm) []any {
			return []any{f.MatterID}
		}},
		{"Stages.ListSets", "listStageSets", func(Firm) []any {
			return []any{practice.StageListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}}
		}},
		{"Stages.GetSet", "getStageSet", func(f Firm) []any {
			return []any{f.StageSetID}
		}},
		{"Stages.Get", "getStage", func(f Firm) []any {
			return []any{f.StageSetID, f.StageID}
		}},
	}
}

func newMatter(f Firm) models.MatterWrite {
	return models.MatterWrite{
		MatterTypeID: f.MatterTypeID, ClientIDs: []string{f.ContactID}, OtherSideIDs: []string{f.RelatedContactID},
		ClientRole: "Seller", OtherSideRole: "Buyer", ReferrerID: f.ContactID, Status: models.MatterStatusOpen, Description: "Sale of a garage",
		PersonAssistingStaffID: f.StaffID, PersonAssistingStaffIDs: colleagues(f),
		OriginatingStaffID: f.StaffID, OriginatingStaffIDs: colleagues(f),
	}
}

// colleagues returns staff IDs other than StaffID, if the firm lists its staff.
func colleagues(f Firm) []string {
	if len(f.StaffIDs) < 4 {
		return []string{}
	}
	return []string{f.StaffIDs[3]}
}
