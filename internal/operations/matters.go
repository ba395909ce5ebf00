package operations

import (
	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func matters() []Operation {
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
			return []any{}
		}},
		{"ReferralTypes.List", "listReferralTypes", func(Firm) []any {
			return []any{}
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
