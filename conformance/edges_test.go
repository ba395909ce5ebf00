package conformance_test

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations/variants"
	"github.com/practicesdk/practice-go/practicetest"
)

// reachEdges repeats the fullest body that the client sent for each operation,
// with one member at a limit of the document: the service must accept it.
func (b *bench) reachEdges(t *testing.T) {
	b.each(t, func(t *testing.T, of endpoint, c calls, server *practicetest.Server) {
		client := b.ledger.of(of.id).fullest
		require.NotNil(t, client.request)
		if of.RequestBody == nil || !of.requestSchema().Value.Type.Is("object") {
			return
		}
		rules := rulesOf(t, of.id)
		for name, body := range edges(of, client.sent) {
			server.Reset() // resets records that can be created only once
			d := redraft(t, client, c, server)
			d.body = []byte(body)
			var x exchange
			violations := server.Tolerate(func() { x = d.exchange(t, server) })
			member, change, _ := strings.Cut(name, " ")
			if reason := variants.Demanded()[of.id+"."+member]; reason != "" && (change == "left out" || change == "is null") {
				assert.Contains(t, []int{400, 403}, x.status, "%s: %s", name, reason)
				continue
			}
			reason := impossible[of.id+"."+name]
			for _, r := range rules {
				merged := of.method == http.MethodPatch && r.Kind == description.Needs && change == "left out"
				if !merged && lacksCompany(r, body) {
					reason = r.String()
				}
			}
			if reason != "" {
				assert.Equal(t, 400, x.status, "%s: %s", name, reason)
				continue
			}
			v, err := b.document.judge(x)
			require.NoError(t, err)
			assert.Empty(t, append(v.inRequest, v.inAnswer...), name)
			assert.Less(t, x.status, 300, "%s: %s", name, x.answer)
			assert.Empty(t, violations, name)
		}
	})
}

// rulesOf returns the rules for the body of an operation.
func rulesOf(t *testing.T, id string) []description.Rule {
	t.Helper()
	document, err := description.Load(os.DirFS("../api"))
	require.NoError(t, err)
	if o := document.Operation(id); o.Body.Type.Ref != nil {
		return o.Body.Type.Ref.Rules
	}
	return nil
}

// lacksCompany reports whether a body has a member without the value of another
// member that it requires.
func lacksCompany(r description.Rule, body string) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &members) != nil || r.Kind != description.Needs && r.Kind != description.ComesWith {
		return false
	}
	subject, other := string(members[r.Members[0]]), strings.Trim(string(members[r.Members[1]]), `"`)
	if slices.Contains([]string{"", "null", "false", "0", "[]"}, subject) {
		return false
	}
	return !slices.Contains(r.Values, other) && (r.Values != nil || other == "" || other == "null")
}

// impossible lists limits that the service does not accept, with reasons.
var impossible = map[string]string{
	"createEvent.matterId left out": "the guests of the call are persons of the matter",
	"createEvent.matterId is null":  "the guests of the call are persons of the matter",
	"updateEvent.matterId left out": "the guests of the call are persons of the matter",
	"updateEvent.matterId is null":  "the guests of the call are persons of the matter",

	"createTransaction.amount is -1.10":            "a deposit is above 0",
	"createTransaction.amount is 0":                "a deposit is above 0",
	"createTransaction.amount is 9007199254740993": "no account holds so much",
	"unprotectFunds.amount is 0.01":                "it must be the protected amount",

	"cancelSubscription.cancelAt left out":           "the call ends at a date",
	"cancelSubscription.cancelAt is null":            "the call ends at a date",
	"cancelSubscription.cancelSubscription left out": "must be PeriodEnd for a trial",
	"cancelSubscription.cancelSubscription is null":  "must be PeriodEnd for a trial",

	"createTaskDocument.type is 1": "must not be a form: forms are not supported yet",
	"createTaskDocument.type is 2": "the document of the call is a file",
}

// edges changes one member of a body at a time, so that the body remains valid.
func edges(of endpoint, good []byte) map[string]string {
	changed := map[string]string{}
	schema := of.requestSchema().Value
	for member, property := range schema.Properties {
		if !slices.Contains(schema.Required, member) {
			changed[member+" left out"] = withMember(good, member, "")
		}
		for _, right := range edgeValues(property.Value) {
			changed[member+" is "+right] = withMember(good, member, right)
		}
	}
	return changed
}

// edgeValues returns JSON texts at the limits of a schema.
func edgeValues(schema *openapi3.Schema) []string {
	var right []string
	if schema.Nullable {
		right = append(right, "null")
	}
	if schema.MinLength > 0 && schema.Format == "" && schema.Extensions["x-target"] == nil { // an id must be that of a record
		right = append(right, `"`+strings.Repeat("ä", int(schema.MinLength))+`"`)
	}
	if schema.MaxLength != nil {
		right = append(right, `"`+strings.Repeat("ä", int(*schema.MaxLength))+`"`)
	}
	for _, value := range schema.Enum {
		text, _ := json.Marshal(value) // a text or a number
		right = append(right, string(text))
	}
	if schema.Type.Is("integer") && len(schema.Enum) == 0 || schema.Type.Is("number") && schema.Min == nil {
		right = append(right, "0", map[bool]string{true: "2147483647", false: "9007199254740993"}[schema.Format == "int32"])
	}
	if schema.Type.Is("number") {
		right = append(right, "0.01")
	}
	if schema.Type.Is("number") && schema.Min == nil {
		right = append(right, "-1.10")
	}
	return right
}
