package operations

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/idfield"
)

// rows holds what a successful call takes after the ids of its path, by
// operation: a body, options that are not empty. A row with all arguments has
// other ids than the path suggests.
type rows map[string][]any

// rowsOf returns the rows of all areas.
func rowsOf(firm Firm) rows {
	all := rows{}
	for _, area := range []func(Firm) rows{
		access, authorization, bankAccounts, calendar, documents, documentFiles, expenses, fees, intake, layouts, matterTypes, matters,
		matterDetails, memos, stages, invoices, money, people, contactTags, plugins, portal, roles, subscriptions, subscriptionPayments,
		subscriptionCharges, subscriptionChanges, staff, search, tasks, webhooks,
	} {
		maps.Copy(all, area(firm))
	}
	return all
}

// Arguments returns the arguments of a successful call, without the context and
// the options of the call.
func (o Operation) Arguments(firm Firm) []any {
	row, method := rowsOf(firm)[o.ID], o.Method()
	if method == nil || len(row) == method.NumIn()-2 {
		return row
	}
	arguments := append(o.ids(firm), row...)
	for len(arguments) < method.NumIn()-2 {
		arguments = append(arguments, reflect.Zero(method.In(len(arguments)+1)).Interface()) // options
	}
	return arguments
}

// ids returns the ids for the path of an operation.
func (o Operation) ids(firm Firm) (all []any) {
	known := practice.Operations()
	own := known[slices.IndexFunc(known, func(other practice.Operation) bool { return other.ID == o.ID })]
	for _, p := range own.Parameters {
		if p.In != practice.InPath {
			continue
		}
		before, _, _ := strings.Cut(own.Path, "/{"+p.Name+"}")
		record := ""
		for _, other := range known {
			if other.Method == http.MethodGet && other.Path == before+"/{"+p.Name+"}" {
				record = strings.TrimPrefix(other.Answer, "models.")
			}
		}
		all = append(all, reflect.ValueOf(firm).FieldByName(idfield.Of(fields(), own.Path, p.Name, record)).String())
	}
	return all
}
