package operations_test

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/operations/variants"
)

// TestTheClassIsAsDescribed infers the class from the reaction to a status 500:
// a read is retried, an idempotent write is not, and a create is ambiguous.
func TestTheClassIsAsDescribed(t *testing.T) {
	t.Parallel()
	facts := firm(t)
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		synctest.Test(t, func(t *testing.T) {
			s := &service{status: http.StatusInternalServerError}
			err := op.Call(t.Context(), s.client(t), facts, practice.WithRetries(1))
			_, ambiguous := errors.AsType[*practice.AmbiguousWriteError](err)
			class := "idempotentWrite"
			switch {
			case ambiguous:
				class = "create"
			case len(s.asked) > 1:
				class = "read"
			}
			agree(t, op, as, "class", class, as.Class)
		})
	})
}

func isFilter(paging *description.Paging, parameter string) bool {
	return slices.ContainsFunc(paging.Since, func(filter description.ChangeFilter) bool { return filter.Name == parameter })
}

// unoffered lists the query parameters that the client omits, with the reason.
var unoffered = map[string]string{
	"listInvoices?UpdatedSince": "LastUpdated says the same, and only one of the two may be sent",
}

// TestMembersOfBodiesAreAsDescribed checks that the fullest call sends exactly
// the members in the description, with variants for members that exclude each
// other. A method without a body argument sends some of them.
func TestMembersOfBodiesAreAsDescribed(t *testing.T) {
	t.Parallel()
	facts := firm(t)
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		if as.Body == nil || as.Body.List || as.Body.Type.Ref == nil {
			return
		}
		arguments := variants.Fullest(op, as, facts)
		var names, members []string
		for _, way := range append(variants.Alternatives(op, as, facts), arguments) {
			_, body, _ := sent(t, op, way)
			names = append(names, keysOf(t, body)...)
		}
		for _, member := range as.Body.Type.Ref.Members {
			if op.ID == "patchMatter" && member.Name == "items" {
				continue // it excludes other members; TestAPatchThatAddsAnItemIsACreate sends it
			}
			if takesBody(arguments) || slices.Contains(names, member.Name) {
				members = append(members, member.Name)
			}
		}
		agreeOnNames(t, op, as, names, members)
	})
}

func takesBody(arguments []any) bool {
	return slices.ContainsFunc(arguments, func(argument any) bool {
		of := reflect.TypeOf(argument)
		return of.Kind() == reflect.Struct && !strings.HasSuffix(of.Name(), "Options")
	})
}

// renamed lists records whose response has a different Go type, with the
// reason.
var renamed = map[string]string{
	"getRootFolder":               "practice.FolderPage", // includes the members of a page
	"getFolder":                   "practice.FolderPage",
	"listWebhookTypes":            "models.EventType", // a string type with constants
	"requestPluginURL":            "models.Secret",    // a text that must stay secret
	"searchFiles":                 "models.Object",    // the form of the records is not documented
	"downloadSubscriptionInvoice": "int64",            // the number of bytes written
	"getSearchMapping":            "uint8",            // raw JSON
}

func TestAnswersAreAsDescribed(t *testing.T) {
	t.Parallel()
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		method := op.Method()
		client, want := record(method.Out(0)), "models.Link"
		if as.Answer != nil {
			want = as.Answer.String()
			switch {
			case as.Answer.Ref != nil:
				want = "models." + as.Answer.Ref.GoName
			case as.Answer.Kind == description.Text:
				want = "string"
			}
		}
		if other := renamed[op.ID]; other != "" {
			want = other
		}
		agree(t, op, as, "answer", client, want)
	})
}

// record returns the type of the records in a result, which is a page, a list
// or a single record.
func record(result reflect.Type) string {
	for result.Kind() == reflect.Pointer || result.Kind() == reflect.Slice {
		result = result.Elem()
	}
	if strings.HasPrefix(result.Name(), "Page[") {
		items, _ := result.FieldByName("Items")
		result = items.Type.Elem()
	}
	return result.String()
}
