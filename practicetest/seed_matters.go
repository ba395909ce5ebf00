package practicetest

import (
	"encoding/json"
	"maps"
	"strconv"
)

// matterPlan describes a seeded matter or lead. If a firm has more matters than
// plans, the plans repeat.
type matterPlan struct {
	kind            int // index in practiceKinds
	description     string
	status          string
	stageSet, stage int // index in stageSets, and stage from 1; 0 means no stage
	tag             string
	billing         int
}

var matterPlans = [...]matterPlan{
	{0, "Sale of the house at 12 Harbour Street", "Open", 0, 3, "Urgent", 1},
	{1, "Purchase of the flat at 7 Mill Lane", "Open", 0, 2, "", 1},
	{2, "Lease of a shop at 3 Market Square", "Pending", 0, 1, "Commercial", 3},
	{3, "Estate of an uncle, with a house and two heirs", "Open", 1, 2, "", 3},
	{4, "Divorce by consent", "Open", 0, 0, "Sensitive", 3},
	{5, "Unpaid invoices of a supplier", "Open", 2, 2, "Urgent", 5},
	{6, "Dismissal without notice", "Closed", 2, 5, "", 2},
	{0, "Sale of the farm at Old Road", "Open", 0, 4, "", 1},
}

// leadPlans holds the plans of the seeded leads.
var leadPlans = [...]matterPlan{
	{kind: 7, description: "Asks about buying a house", status: "Open"},
	{kind: 7, description: "Asks about a boundary", status: "Closed"},
}

// plan returns the plan of the n-th matter. The leads come after the matters.
func (sd *seeder) plan(n int) matterPlan {
	if n >= sd.matters {
		return leadPlans[(n-sd.matters)%len(leadPlans)]
	}
	return matterPlans[n%len(matterPlans)]
}

// seed creates the matters and then the leads. The members of the matters are
// generated on first use.
func (matter matterKind) seed(sd *seeder, a *account) {
	made, bare := sd.makeMany(a, matter.resource, sd.matters+len(leadPlans)), make([]bareMatter, sd.matters+len(leadPlans))
	for i, r := range made {
		bare[i] = bareMatter{sd.later, r, i, len(sd.seeded)}
		r.bare, sd.bare[r.id], sd.seeded = &bare[i], &bare[i], append(sd.seeded, &bare[i])
	}
	for _, lead := range made[sd.matters:] {
		lead.Furnish()
	}
	sd.putAll(made[:sd.matters])
	sd.putAll(made[sd.matters:])
}

// seedMembers generates the members of the i-th matter.
func (matterKind) seedMembers(sd *seeder, r *record, i int) {
	a := r.account
	people, kinds, team := sd.all(a, "contacts"), sd.all(a, "mattertypes"), sd.all(a, "staff")
	plan, kind, client, other := sd.plan(i), practiceKinds[sd.plan(i).kind], sd.clientOf(a, i), people[(i+7)%len(people)]
	r.fields = fields{
		"number": matterNumber(i), "title": matterNumber(i) + " - " + lastName(client) + " - " + kind.name, "description": plan.description,
		"status": plan.status, "matterTypeId": kinds[plan.kind].id, "clientIds": []string{client.id}, "otherSideIds": []string{other.id},
		"clientRole": kind.client, "otherSideRole": kind.otherSide, "personResponsibleStaffId": team[i%2].id,
		"personAssistingStaffId": team[2].id, "personAssistingStaffIds": []string{team[3].id}, "openedDate": sd.past(300),
	}
	sd.particulars(r, i, plan, team)
}

// clientOf returns the client of the i-th matter.
func (sd *seeder) clientOf(a *account, i int) *record {
	people := sd.all(a, "contacts")
	return people[i%len(people)]
}

func matterNumber(i int) string { return strconv.Itoa(10001 + i) }

// particulars sets the members that only some matters have.
func (sd *seeder) particulars(r *record, i int, plan matterPlan, team []*record) {
	if plan.tag != "" {
		r.fields["tags"] = []fields{sd.newMatterTag(r.account, plan.tag, "Light Blue", ""), sd.newMatterTag(r.account, "Partner", "", team[0].id)}
	}
	if plan.status == "Closed" {
		r.fields["closedDate"] = sd.past(20)
	}
	if i >= sd.matters {
		r.fields["lead"], r.fields["leadOpenedDate"] = "x", sd.past(30)
		if plan.status == "Closed" {
			r.fields["leadClosedDate"], r.fields["leadClosedReason"] = sd.past(3), "Went elsewhere"
		}
		return
	}
	if i%len(matterPlans) != 0 {
		return
	}
	maps.Copy(r.fields, fields{
		"externalSystemId": "EXT-" + strconv.Itoa(i), "originatingStaffId": team[0].id, "originatingStaffIds": []string{team[4].id},
		"supervisorStaffId": team[0].id, "clientCode": "CL-" + strconv.Itoa(i), "branchId": sd.newID("branch"), "branchProviderId": "Office",
		"referralType": sd.first("referraltypes", r.account.id), "referrerId": sd.all(r.account, "contacts")[9].id,
		"referralAgreementFeeType": "Flat fee", "referralAgreementFee": json.Number("250.00"), "referralAgreementFeeComment": "Paid at the end",
		"splitOriginatingStaffSettings": fields{
			"isEnabled": false, "splitMethod": "UseRatio", "remainderStaffId": team[0].id,
			"splitMatterStaffs": []fields{{"matterStaffId": team[0].id, "matterStaffRatio": 6000}, {"matterStaffId": team[4].id, "matterStaffRatio": 4000}},
		},
	})
}

// details creates the archive details and the billing configuration of a
// matter.
func (sd *seeder) details(m *record, n int, archive, configuration *resource) {
	plan := sd.plan(n)
	kept := fields{"isArchived": plan.status == "Closed", "archivedDate": "0001-01-01T00:00:00", "destroyDate": "0001-01-01T00:00:00"}
	if plan.status == "Closed" || n == 0 {
		kept["archiveBoxNumber"], kept["archiveComments"], kept["archivedLocation"], kept["archivedDate"] = strconv.Itoa(20+n), "Two folders", "Cellar", sd.past(10)
	}
	sd.addAs(m.account, archive, m.id, kept, m.id)
	bill := fields{"billingType": plan.billing, "debtorIds": []string{m.fields.ids("clientIds")[0]}}
	if n == 0 {
		maps.Copy(bill, fields{
			"amount": json.Number("1500.00"), "disbursementAmount": json.Number("200.00"), "contingencyAmount": json.Number("0"), "rateSetId": "standard",
			"isUtbmsEnabled": false, "ledesFirmId": "36-1234567", "ledesMatterId": "M-1", "ledesClientMatterId": "C-1", "ledesTimekeeperClassificationType": 2,
		})
	}
	sd.addAs(m.account, configuration, m.id, bill, m.id)
}

// describeMatters sets the ids of records about the first matter in f.
func (sd *seeder) describeMatters(f *Firm, a, other *account) {
	first := sd.all(a, "matters")[0].furnished()
	reached := sd.slot(sd.by.byPath(matterStagePath), f.MatterID).Now.fields
	f.MatterTypeID, f.OtherFirmMatterTypeID = first.fields.str("matterTypeId"), sd.first("mattertypes", other.id)
	f.ReferralTypeID, f.OtherFirmReferralTypeID = sd.first("referraltypes", a.id), sd.first("referraltypes", other.id)
	f.StageSetID, f.OtherFirmStageSetID = reached.str("stageSet"), sd.first("stagesets", other.id)
	f.StageID = reached["stage"].(*record).id
	f.MatterItemID, f.MatterTagID = f.RoleID, tagsOf(first)[0].str("id")
	layout := sd.list(sd.by.byPath(layoutPath), f.MatterID).All()[0]
	f.LayoutItemID, f.LayoutDesignID, f.OtherFirmLayoutDesignID = layout.id, layout.fields.str("layoutDesignId"), sd.first("layouts", other.id)
	f.IntakeFormID, f.IntakeSubmissionID = sd.list(sd.by.byPath(intakeFormPath), a.id).All()[0].id, sd.list(sd.by.byPath(intakeSubmissionPath), f.MatterID).All()[0].id
	f.MemoID, f.LeadID = sd.first("memos", f.MatterID), sd.list(first.of, a.id+leads).All()[0].id
}
