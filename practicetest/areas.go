package practicetest

// areas returns all parts of the interface that the service performs. An area
// whose seed refers to another's stands behind it.
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
