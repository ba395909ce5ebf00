package practicetest

// matterPlan is what a seeded matter or lead is about. The plans recur when a firm has
// more matters than there are plans.
type matterPlan struct {
	kind            int // of practiceKinds
	description     string
	status          string
	stageSet, stage int // of stageSets; stage counts from 1, 0 is none
}

var matterPlans = [...]matterPlan{
	{0, "Sale of the house at 12 Harbour Street", "Open", 0, 3},
	{1, "Purchase of the flat at 7 Mill Lane", "Open", 0, 2},
	{2, "Lease of a shop at 3 Market Square", "Pending", 0, 1},
	{3, "Estate of an uncle, with a house and two heirs", "Open", 1, 2},
	{4, "Divorce by consent", "Open", 0, 0},
	{5, "Unpaid invoices of a supplier", "Open", 2, 2},
	{6, "Dismissal without notice", "Closed", 2, 5},
	{0, "Sale of the farm at Old Road", "Open", 0, 4},
}

// plan is that of the n-th matter of the firm.
func (sd *seeder) plan(n int) matterPlan { return matterPlans[n%len(matterPlans)] }

// describeMatters names the records that are about the first matter.
func (sd *seeder) describeMatters(f *Firm, a, other *account) {
	reached := sd.slot(sd.by.byPath(matterStagePath), f.MatterID).now.fields
	f.MatterTypeID, f.OtherFirmMatterTypeID = sd.all(a, "matters")[0].fields.str("matterTypeId"), sd.first("mattertypes", other.id)
	f.ReferralTypeID, f.OtherFirmReferralTypeID = sd.first("referraltypes", a.id), sd.first("referraltypes", other.id)
	f.StageSetID, f.OtherFirmStageSetID = reached.str("stageSet"), sd.first("stagesets", other.id)
	f.StageID = reached["stage"].(*record).id
}
