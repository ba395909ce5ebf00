package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func matterTypes(Firm) rows {
	return rows{
		"listMatterTypes": {practice.MatterTypeListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Name: "a", Location: "IL", Category: "Property",
			Type: models.Some(models.MatterTypeKindMatterType),
		}},
	}
}

func matters(f Firm) rows {
	return rows{
		"listMatters": {practice.MatterListOptions{
			ListOptions: practice.ListOptions{Offset: 1, Limit: 2}, Search: "1", MatterTypeID: f.MatterTypeID, ContactID: f.ContactID,
			Status: []models.MatterStatus{models.MatterStatusOpen, models.MatterStatusPending}, Type: models.MatterListTypeMattersLeads,
			Sort: models.MatterSortLastUpdated, Fields: []models.MatterField{models.MatterFieldItems, models.MatterFieldTags},
		}},
		"createMatter": {newMatter(f)},
		"updateMatter": {newMatter(f)},
		"patchMatter": {models.MatterPatch{
			Status:     models.Some(models.MatterStatusPending),
			ReferrerID: models.Some(f.ContactID), ClientIDs: models.Some([]string{f.ContactID}), OtherSideIDs: models.Some([]string{f.RelatedContactID}),
			PersonAssistingStaffID: models.Some(f.StaffID), PersonAssistingStaffIDs: models.Some(colleagues(f)),
			OriginatingStaffID: models.Some(f.StaffID), OriginatingStaffIDs: models.Some(colleagues(f)),
		}},
		"addMatterTags": {[]models.MatterTagWrite{
			{Name: "Urgent", Color: "Light Blue", Type: models.MatterTagTypeCustom}, {ID: f.StaffID, Type: models.MatterTagTypeStaff},
		}},
	}
}

func matterDetails(f Firm) rows {
	return rows{
		"updateMatterArchive":        {models.MatterArchiveWrite{IsArchived: true, ArchiveBoxNumber: "24"}},
		"patchMatterArchive":         {models.MatterArchivePatch{IsArchived: models.Some(true)}},
		"updateBillingConfiguration": {models.BillingConfigurationWrite{BillingType: models.Some(models.BillingTypeTimeBased), DebtorIDs: []string{f.ContactID}}},
		"patchBillingConfiguration":  {models.BillingConfigurationPatch{BillingType: models.Some(models.BillingTypeFixedFee), DebtorIDs: models.Some([]string{f.ContactID})}},
	}
}

func memos(Firm) rows {
	return rows{
		"listMemos":  {practice.MemoListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}},
		"createMemo": {models.MemoWrite{Title: "Call", Text: "The client agrees."}},
		"updateMemo": {models.MemoWrite{Title: "Call", Text: "The client agrees."}},
	}
}

func stages(Firm) rows {
	return rows{
		"listMatterStages": {practice.StageListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}},
		"listStageSets":    {practice.StageListOptions{ListOptions: practice.ListOptions{Offset: 1, Limit: 2}}},
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
