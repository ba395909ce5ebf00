package practicetest

// areas returns all areas of the API that the service implements. They are
// seeded in this order: an area comes after those that its seed refers to.
func areas() []area {
	people := newGraph()
	return []area{
		staff(),
		users(),
		firmArea(),
		contacts(),
		matterTypes(),
		referralTypes(),
		stages(),
		matters(people),
		memos(),
		activityCodes(),
		documentsArea(),
		fees(),
		expenses(),
		invoices(),
		people.roles(),
		people.layouts(),
		intake(),
		search(),
		bankAccounts(),
		events(),
		tasks(),
		groups(),
		policies(),
		subscriptions(),
		plugins(),
		notifications(),
		portal(),
		webhooks(),
	}
}
