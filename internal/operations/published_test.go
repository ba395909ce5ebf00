package operations_test

import (
	"errors"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/practicetest"
)

// The tests of this file compare api/, the client and the embedded service with
// a witness that no program writes: what follows from api/ may be wrong
// together.

// publishedCall is one line of testdata/published.txt.
type publishedCall struct {
	id, method, path string
	query            []string
}

func publishedCalls(t testing.TB) map[string]publishedCall {
	t.Helper()
	calls := map[string]publishedCall{}
	for _, line := range publishedLines(t, "testdata/published.txt") {
		words := strings.Fields(line)
		require.GreaterOrEqual(t, len(words), 3, "%s: expected METHOD path operationId", line)
		call := publishedCall{method: words[0], path: words[1], id: words[2], query: words[3:]}
		require.NotContains(t, calls, call.id)
		calls[call.id] = call
	}
	require.NotEmpty(t, calls)
	return calls
}

// publishedMembers returns the members of each record and body, by its name.
func publishedMembers(t testing.TB) map[string][]string {
	t.Helper()
	members := map[string][]string{}
	var schema string
	for _, line := range publishedLines(t, "testdata/published_members.txt") {
		if name, rest, begins := strings.Cut(line, ":"); begins {
			require.NotContains(t, members, name)
			schema, line = name, rest
		}
		members[schema] = append(members[schema], strings.Fields(line)...)
	}
	require.NotEmpty(t, members)
	return members
}

func publishedLines(t testing.TB, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
}

// unpublished lists query parameters and members that intentionally differ from
// the published API, with the reason.
var unpublished = map[string]string{
	"getRootFolder?Offset": "published later: the client follows the links of the page",
	"getRootFolder?Limit":  "published later: the client follows the links of the page",
	"Reminder.id":          "answers have it where the service declares none",
	"FolderListing.id":     "answers have it, always null",
}

// parts lists schemas that the published API describes only in the text of
// operations or under another name.
var parts = map[string]string{
	"Discount":       "inside Subscription",
	"MatterLayouts":  "the payload of an event",
	"OutOfOffice":    "inside Staff",
	"PaymentDetails": "PaymentInformation, whose members are in the text",
	"RelationWrite":  "RelationUpdate, whose member contacts are named by",
	"WebhookUpdate":  "WebhookSubscriptionWrite with an optional key",
}

func TestTheDescriptionIsThatOfThePublishedInterface(t *testing.T) {
	t.Parallel()
	document, members := described(t), publishedMembers(t)
	described := map[string]publishedCall{}
	for o := range document.Operations() {
		described[o.ID] = publishedCall{o.ID, o.HTTPMethod, o.Path, queryOf(o)}
	}
	for id, call := range publishedCalls(t) {
		if want, is := sorted(id, call), sorted(id, described[id]); !reflect.DeepEqual(want, is) {
			t.Errorf("api: %s is %s %s %v, published is %s %s %v\ncorrect api/ by the published document", id, is.method, is.path, is.query, want.method, want.path, want.query)
		}
		delete(described, id)
	}
	for id := range described {
		t.Errorf("internal/operations/testdata/published.txt: no line of %s, which api/ describes\ncopy it from the published document", id)
	}

	for name, schema := range document.Schemas {
		wanted, there := members[name]
		if _, excused := parts[name]; excused == there {
			t.Errorf("internal/operations/testdata/published_members.txt: %s is there: %t; excused in published_test.go: %t\ncopy its line from the published document", name, there, excused)
		}
		var known []string
		for _, member := range schema.Members {
			if unpublished[name+"."+member.Name] == "" {
				known = append(known, member.Name)
			}
		}
		if there && name != "Link" { // the table omits the members of Link everywhere
			agreeOnMembers(t, name, wanted, known)
		}
	}
}

// agreeOnMembers reports the members of an object that api/ lacks, and those
// that are not published.
func agreeOnMembers(t *testing.T, object string, published, described []string) {
	t.Helper()
	for _, name := range published {
		holds(t, slices.Contains(described, name), "api: %s has no member %s, which is published\ndescribe it", object, name)
	}
	for _, name := range described {
		holds(t, slices.Contains(published, name), "internal/operations/testdata/published_members.txt: %s has no %s, which api/ describes\ncorrect api/, or copy the line anew", object, name)
	}
}

func queryOf(o *description.Operation) (names []string) {
	for _, parameter := range o.Query {
		names = append(names, parameter.Name)
	}
	if o.Paging != nil {
		names = append(names, o.Paging.Offset, o.Paging.Limit, o.Paging.Cursor)
		for _, filter := range o.Paging.Since {
			names = append(names, filter.Name)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// sorted returns a call for comparison, without the query parameters in
// unpublished.
func sorted(id string, call publishedCall) publishedCall {
	names := slices.DeleteFunc(slices.Sorted(slices.Values(call.query)), func(name string) bool { return unpublished[id+"?"+name] != "" })
	call.query = append([]string{}, names...)
	return call
}

func TestTheClientSendsWhatIsPublished(t *testing.T) {
	t.Parallel()
	facts, calls, members := firm(t), publishedCalls(t), publishedMembers(t)
	forEachOperation(t, func(t *testing.T, op operations.Operation, as *description.Operation) {
		call, is := calls[op.ID]
		if !is {
			return // another test reports it
		}
		arguments := variants.Fullest(op, as, facts)
		request, body, label := sent(t, op, arguments)
		published := []string{op.Name, call.method, call.path, pathOf(call.path, arguments)}
		said := []string{label.Operation, request.Method, label.Path, strings.TrimPrefix(request.URL.EscapedPath(), "/v1")}
		holds(t, slices.Equal(published, said), "%s: its descriptor makes %q\npublished is %q\ncorrect the descriptor", op.Name, said, published)
		for name := range request.URL.Query() {
			holds(t, slices.Contains(call.query, name), "internal/operations/testdata/published.txt: %s has no query parameter %s, which the client sends\ncorrect the client, or copy the line anew", op.ID, name)
		}
		for _, name := range call.query {
			excused := unoffered[op.ID+"?"+name]+unpublished[op.ID+"?"+name] != "" || isDeprecated(as, name) ||
				as.Paging != nil && as.Paging.Cursor == name // the cursor, which excludes the others
			holds(t, request.URL.Query().Has(name) != excused, "%s: sends the query parameter %s: %t; excused: %t\nadd a field to the options of %s", op.ID, name, request.URL.Query().Has(name), excused, op.Name)
		}
		if body == "" || as.Body.Type.Ref == nil || as.Body.List || parts[as.Body.Type.Ref.Name] != "" {
			return
		}
		for _, name := range keysOf(t, body) {
			holds(t, slices.Contains(members[as.Body.Type.Ref.Name], name), "internal/operations/testdata/published_members.txt: %s has no %s, which %s sends\ncorrect api/, or copy the line anew", as.Body.Type.Ref.Name, name, op.ID)
		}
	})
}

func isDeprecated(as *description.Operation, parameter string) bool {
	return slices.ContainsFunc(as.Query, func(p *description.Parameter) bool { return p.Name == parameter && p.Deprecated }) ||
		as.Paging != nil && slices.ContainsFunc(as.Paging.Since, func(f description.ChangeFilter) bool { return f.Name == parameter && f.Deprecated })
}

func TestTheModelsHaveWhatIsPublished(t *testing.T) {
	t.Parallel()
	types := map[string]map[string]bool{}
	for _, op := range operations.All() {
		method := op.Method()
		for i := range method.NumIn() {
			reached(types, method.In(i))
		}
		for i := range method.NumOut() {
			reached(types, method.Out(i))
		}
	}
	document := described(t)
	for name, wanted := range publishedMembers(t) {
		schema := document.Schemas[name]
		if schema == nil || types[schema.GoName] == nil {
			continue // not described, which another test reports, or not decoded by the client
		}
		for _, member := range wanted {
			if m := schema.Member(member); m != nil && m.LiteralPrefix {
				continue // decoded by a name known only at run time
			}
			holds(t, types[schema.GoName][member], "models: %s has no member %s, which is published\ndescribe it in %s, and run .ci/generate", schema.GoName, member, schema.Pos)
		}
	}
}

// reached records, by model, the names of the members of the models in a type.
func reached(types map[string]map[string]bool, in reflect.Type) {
	switch in.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		reached(types, in.Elem())
	case reflect.Struct:
		if types[in.Name()] != nil {
			return
		}
		types[in.Name()] = map[string]bool{}
		for _, field := range reflect.VisibleFields(in) {
			if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag != "" {
				types[in.Name()][tag] = true
			}
			reached(types, field.Type)
		}
	default:
	}
}

func TestTheEmbeddedServiceTakesWhatIsPublished(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithMatters(1), practicetest.WithEvents(1))
	for id, call := range publishedCalls(t) {
		op, known := operations.ByID(id)
		if !known {
			t.Errorf("zz_operations.go: has no %s, which is published\ndescribe it in api/, and run .ci/generate", id)
			continue
		}
		holds(t, slices.Equal([]string{"Nonsense"}, unknownTo(t, server, op, call)), "practicetest: %s does not know all its query parameters, or knows Nonsense\ndescribe them in api/, and run .ci/generate", id)
	}
}

// unknownTo sends every query parameter of a call and an unknown one, and
// returns the names that a strict service reports as unknown.
func unknownTo(t testing.TB, server *practicetest.Server, op operations.Operation, call publishedCall) (names []string) {
	t.Helper()
	query := url.Values{"Nonsense": {"1"}}
	for _, name := range call.query {
		query.Set(name, "1")
	}
	client, path := server.Client(t, op.ClientOptions(server)...), pathOf(call.path, op.Arguments(server.Firm()))
	for _, violation := range server.Tolerate(func() {
		err := client.Do(t.Context(), practice.Request{Method: call.method, Path: path, Query: query, Once: true}, nil)
		holds(t, errors.Is(err, practice.ErrBadRequest), "practicetest: no %s %s of %s: %v\nrun .ci/generate, and add its resource or handler", call.method, call.path, op.ID, err)
	}) {
		for _, found := range unknownParameter.FindAllStringSubmatch(violation, -1) {
			names = append(names, found[1])
		}
	}
	return names
}

var unknownParameter = regexp.MustCompile(`(\w+): is not a query parameter of the operation`)
