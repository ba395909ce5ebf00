package operations

import (
	"net/http"
	"reflect"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/idfield"
)

// rows holds arguments of successful calls by operation: a body, and options that
// are not empty. A row with all arguments replaces the derived ids, too.
type rows map[string][]any

// AreaOf returns the area that has the row of each operation.
func AreaOf() map[string]func(Firm) rows {
	all := map[string]func(Firm) rows{}
	for _, area := range []func(Firm) rows{
		access, authorization, bankAccounts, calendar, documents, documentFiles, expenses, fees, intake, layouts, matterTypes, matters,
		matterDetails, memos, stages, invoices, money, people, contactTags, plugins, portal, roles, subscriptions, subscriptionPayments,
		subscriptionCharges, subscriptionChanges, staff, search, tasks, webhooks,
	} {
		for id := range area(Firm{}) {
			all[id] = area
		}
	}
	return all
}

// Arguments returns the arguments of a successful call, without the context and
// the options of the call.
func (o Operation) Arguments(firm Firm) []any {
	var row []any
	if o.from.area != nil {
		row = o.from.area(firm)[o.ID]
	}
	method := o.Method()
	if method == nil || len(row) == method.NumIn()-2 {
		return row
	}
	arguments := append(o.from.ids(firm), row...)
	for len(arguments) < method.NumIn()-2 {
		arguments = append(arguments, reflect.Zero(method.In(len(arguments)+1)).Interface()) // options
	}
	return arguments
}

// origin holds what the arguments of an operation follow from.
type origin struct {
	path       string
	parameters []practice.Parameter
	records    map[string]string // see recordsOf
	area       func(Firm) rows   // has its row; nil if it has none
}

// recordsOf returns the Go names of the records that are read, by path.
func recordsOf(all []practice.Operation) map[string]string {
	records := map[string]string{}
	for _, o := range all {
		if o.Method == http.MethodGet {
			records[o.Path] = strings.TrimPrefix(o.Answer, "models.")
		}
	}
	return records
}

// ids returns the ids of a firm for the parameters of the path.
func (o *origin) ids(firm Firm) (all []any) {
	names, values := fields(), reflect.ValueOf(firm)
	for _, parameter := range o.parameters {
		if parameter.In != practice.InPath {
			continue
		}
		end := "/{" + parameter.Name + "}"
		before, _, _ := strings.Cut(o.path, end)
		all = append(all, values.FieldByName(idfield.Of(names, o.path, parameter.Name, o.records[before+end])).String())
	}
	return all
}
