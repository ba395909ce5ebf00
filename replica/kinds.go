package replica

import (
	"fmt"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

// kind describes one kind of record by the operations that return it. All else
// follows from the description of the operations.
type kind struct {
	name  string // name of its view
	list  string // operation that lists the records, or reads the only one below its parent
	get   string // operation that reads one by its id; empty: there is none
	event string // first part of the types of its events; empty: there are none
	below string // kind of the parents, each of which has a list; empty: the firm has one list

	key       string         // member that identifies a record; empty: id
	shared    bool           // whether two parents may have records with the same id
	off       bool           // whether it is copied only if named, since each parent costs a request
	arguments map[string]any // for lists that leave records out by default

	listing, reading practice.Operation
	since            string // parameter of the list for changed records; empty: there is none
	fields           string // members that the list has only on request
	columns          []column
	grown            bool // whether its table got columns that its view lacks
	impersonal       bool // whether the copy has no personal data
}

// single reports whether a parent has one record instead of a list.
func (k *kind) single() bool { return k.listing.AnswerForm == practice.AnswerRecord }

// table returns all kinds, parents before the kinds below them.
func table() []*kind {
	return []*kind{
		{name: "firm", list: "getFirm", event: "firm"},
		{name: "staff", list: "listStaff", get: "getStaff", event: "staff"},
		{name: "firm_users", list: "listFirmUsers", get: "getFirmUser", event: "firmuser"},
		{name: "contacts", list: "listContacts", get: "getContact", event: "contact"},
		{name: "matter_types", list: "listMatterTypes"},
		// Leads are left out by default.
		{name: "matters", list: "listMatters", get: "getMatter", event: "matter", arguments: map[string]any{"Type": string(models.MatterListTypeMattersLeads)}},
		{name: "activity_codes", list: "listActivityCodes", get: "getActivityCode", event: "activitycode"},
		{name: "referral_types", list: "listReferralTypes", get: "getReferralType"},
		{name: "groups", list: "listGroups", get: "getGroup"},
		{name: "stage_sets", list: "listStageSets", get: "getStageSet", event: "stageset"},
		{name: "matter_stages", list: "listMatterStages", key: "matter", event: "matterstage"},
		{name: "layout_designs", list: "listLayoutDesigns"},
		{name: "intake_forms", list: "listIntakeForms"},
		{name: "plugins", list: "listPlugins", get: "getPlugin"},
		// The list begins now by default.
		{name: "events", list: "listEvents", get: "getEvent", event: "event", arguments: map[string]any{"From": "1900-01-01T00:00:00Z"}},
		{name: "tasks", list: "listTasks", get: "getTask", event: "task"},
		{name: "bank_accounts", list: "listBankAccounts", get: "getBankAccount"},

		{name: "matter_balances", list: "listMatterBalances", below: "bank_accounts", key: "matter", shared: true},
		{name: "transactions", list: "listTransactions", get: "getTransaction", below: "bank_accounts"},
		{name: "plugin_subscriptions", list: "listPluginSubscriptions", get: "getPluginSubscription", below: "plugins"},

		{name: "fees", list: "listFees", get: "getFee", below: "matters", event: "fee"},
		{name: "expenses", list: "listExpenses", get: "getExpense", below: "matters", event: "expense"},
		{name: "invoices", list: "listInvoices", get: "getInvoice", below: "matters", event: "invoice"},
		{name: "memos", list: "listMemos", get: "getMemo", below: "matters", event: "memo"},
		{name: "files", list: "listFiles", get: "getFile", below: "matters"},
		{name: "layout_items", list: "listMatterLayouts", get: "getMatterLayout", below: "matters"},
		{name: "intake_submissions", list: "listIntakeSubmissions", below: "matters"},
		{name: "matter_tags", list: "listMatterTags", below: "matters", shared: true},
		{name: "roles", list: "listMatterRoles", below: "matters", event: "roles"},
		{name: "matter_items", list: "listMatterItems", below: "matters", event: "matteritems"},
		{name: "billing_configurations", list: "getBillingConfiguration", below: "matters", event: "billingconfiguration"},
		{name: "archives", list: "getMatterArchive", below: "matters", event: "archive"},

		{name: "contact_tags", list: "listContactTags", below: "contacts", key: "name", shared: true, off: true},
		{name: "contact_relations", list: "listContactRelations", below: "contacts", key: "href", shared: true, off: true},
		{name: "subtasks", list: "listSubTasks", get: "getSubTask", below: "tasks", off: true},
		{name: "task_documents", list: "listTaskDocuments", get: "getTaskDocument", below: "tasks", off: true},
	}
}

// Kinds returns the names of all kinds that a copy can hold, parents first.
func Kinds() []string {
	var names []string
	for _, k := range table() {
		names = append(names, k.name)
	}
	return names
}

// chosen returns the named kinds with their parents, or by default all that are
// not off.
func chosen(names []string) ([]*kind, error) {
	all := table()
	wanted := map[string]bool{}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(k *kind) bool { return k.name == name }) {
			return nil, fmt.Errorf("replica: unknown kind of record %q; the kinds are %s", name, strings.Join(Kinds(), ", "))
		}
		wanted[name] = true
	}
	operations := map[string]practice.Operation{}
	for _, o := range practice.Operations() {
		operations[o.ID] = o
	}
	for _, k := range slices.Backward(all) { // parents stand before the kinds below them
		if wanted[k.name] = wanted[k.name] || names == nil && !k.off; wanted[k.name] && k.below != "" {
			wanted[k.below] = true
		}
	}
	all = slices.DeleteFunc(all, func(k *kind) bool { return !wanted[k.name] })
	for _, k := range all {
		k.describe(operations)
	}
	return all, nil
}

// describe adds to a kind what follows from the description of its operations.
func (k *kind) describe(operations map[string]practice.Operation) {
	k.listing, k.reading = operations[k.list], operations[k.get]
	for _, p := range k.listing.Parameters {
		if (p.Name == "UpdatedSince" || p.Name == "LastUpdated") && !p.Deprecated {
			k.since = p.Name
		}
		if p.Name == "Fields" { // a list leaves them out, and a read by id does not
			k.fields = strings.Join(p.Values, ",")
		}
	}
	k.columns = columnsOf(k)
}

// inPath returns the arguments of an operation for the ids in its path, in order.
func inPath(o practice.Operation, ids ...string) map[string]any {
	arguments := map[string]any{}
	for _, p := range o.Parameters {
		if p.In == practice.InPath && len(ids) > 0 {
			arguments[p.Name], ids = ids[0], ids[1:]
		}
	}
	return arguments
}

// parentColumn returns the name of the column with the id of the parent, such
// as matter_id.
func (k *kind) parentColumn() string { return strings.TrimSuffix(k.below, "s") + "_id" }
