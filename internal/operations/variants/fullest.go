package variants

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/models"
)

// Fullest returns the arguments of a call that sets everything that the method
// accepts. It keeps the arguments of the successful call and derives the others
// from the description. It uses ids of the firm for members whose names match.
func Fullest(op operations.Operation, as *description.Operation, firm operations.Firm) []any {
	c := changer{operation: as, good: op.Arguments(firm)}
	arguments := slices.Clone(c.good)
	if op.ID == "patchMatter" {
		arguments[0] = firm.LeadID // clientRole needs a lead that becomes a matter
	}
	c.eachArgument(argumentKinds{
		query: func(i int, options reflect.Value) { arguments[i] = fullOptions(options, as, firm).Interface() },
		body: func(i int, schema *description.Schema) {
			arguments[i] = fullBody(op, arguments[i], schema, firm)
		},
	})
	return arguments
}

// exclusive returns the members of which a body must have exactly one.
func exclusive(op operations.Operation, schema *description.Schema) []string {
	if op.ID == "createPolicy" {
		return []string{"principalId", "resourceId"}
	}
	for _, r := range schema.Rules {
		if r.Kind == description.ExactlyOne {
			return r.Members
		}
	}
	return nil
}

// excluded reports whether members of a body exclude another member.
func excluded(op operations.Operation, body any, schema *description.Schema, member string) bool {
	others := exclusive(op, schema)
	return slices.Contains(others, member) && slices.ContainsFunc(others, func(other string) bool { return !unsaid(body, other) })
}

// Alternatives returns the arguments of calls with the members that the fullest
// call omits because its body contains alternatives to them.
func Alternatives(op operations.Operation, as *description.Operation, firm operations.Firm) [][]any {
	c := changer{operation: as, good: Fullest(op, as, firm)}
	var all [][]any
	c.eachArgument(argumentKinds{body: func(i int, schema *description.Schema) {
		for _, member := range schema.Members {
			if slices.Contains(exclusive(op, schema), member.Name) && unsaid(c.good[i], member.Name) {
				body := c.good[i]
				for _, other := range exclusive(op, schema) {
					body, _ = withMember(body, other, "null")
				}
				body, _ = withMember(body, member.Name, cmp.Or(special(member.Name), example(member, firm)))
				arguments := slices.Clone(c.good)
				arguments[i] = body
				all = append(all, arguments)
			}
		}
	}})
	return all
}

// special returns the JSON text of a member whose form is not in the
// description.
func special(member string) string {
	return map[string]string{"resourceId": `"matters"`}[member]
}

// fullBody sets the members that a body, or an object in it, omits.
func fullBody(op operations.Operation, body any, schema *description.Schema, firm operations.Firm) any {
	for _, member := range schema.Members {
		if unsaid(body, member.Name) && excluded(op, body, schema, member.Name) {
			continue
		}
		if changed, ok := withMember(body, member.Name, example(member, firm)); ok && unsaid(body, member.Name) {
			body = changed
			continue
		}
		full := reflect.New(reflect.TypeOf(body)).Elem()
		full.Set(reflect.ValueOf(body))
		field, found := fieldOf(full, member.Name)
		if inner := member.Type.Ref; found && inner != nil && field.Type().Name() == inner.GoName {
			field.Set(reflect.ValueOf(fullBody(op, field.Interface(), inner, firm)))
			body = full.Interface()
		}
	}
	for _, r := range schema.Rules {
		switch {
		case r.Values != nil && !unsaid(body, r.Members[0]):
			value := r.Values[0]
			if schema.Member(r.Members[1]).Type.Kind == description.EnumText {
				value = strconv.Quote(value)
			}
			body, _ = withMember(body, r.Members[1], value)
		case r.Kind == description.NotTheCaller:
			body, _ = withMember(body, r.Members[0], `"`+firm.NewcomerUserID+`"`)
		}
	}
	return body
}

// fullOptions sets all zero fields, and requests the largest page.
func fullOptions(options reflect.Value, as *description.Operation, firm operations.Firm) reflect.Value {
	full := reflect.New(options.Type()).Elem()
	full.Set(options)
	for of, field := range full.Fields() {
		switch {
		case of.Name == "Offset":
			field.SetInt(1)
		case of.Name == "Limit":
			field.SetInt(LargestPage)
		case of.Anonymous:
			field.Set(fullOptions(field, as, firm))
		case of.Name == "Cursor": // only the service creates a cursor, and it excludes other parameters
		case !field.IsZero():
		case chosen(as, of.Name) != nil:
			_ = json.Unmarshal([]byte(exampleOf(chosen(as, of.Name), firm)), field.Addr().Interface()) // a field of another type stays zero
		case field.Kind() == reflect.Bool:
			field.SetBool(true)
		case field.Kind() == reflect.String:
			field.SetString(cmp.Or(operations.IDFor(firm, strings.Replace(of.Name, "Product", "Usage", 1)), "text"))
		case field.Type() == reflect.TypeFor[models.Opt[bool]]():
			field.Set(reflect.ValueOf(models.Some(true)))
		case field.Type() == reflect.TypeFor[time.Time]():
			field.Set(reflect.ValueOf(time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)))
		}
	}
	return full
}

// chosen returns the type of a query parameter that takes values of an
// enumeration, or nil.
func chosen(as *description.Operation, name string) *description.Type {
	for _, p := range as.Query {
		if strings.EqualFold(p.Name, name) && (p.Type.Enum != nil || p.Type.Elem != nil && p.Type.Elem.Enum != nil) {
			return p.Type
		}
	}
	return nil
}

// example returns the JSON text of a value of a member.
func example(member *description.Member, firm operations.Firm) string {
	if member.Name == "updatedByUserId" || member.Name == "userId" && member.Type.Kind == description.UUID {
		return fmt.Sprintf("%q", firm.OwnerUserID) // other users are for server-to-server calls only
	}
	if id := operations.IDFor(firm, member.Name); id != "" {
		return fmt.Sprintf("%q", id)
	}
	id := map[string]string{"contacts": firm.ContactID, "users": firm.UserID, "users/groups": firm.UserID}[member.Target]
	switch kind := member.Type.Kind; {
	case id != "" && kind == description.List && member.Type.Elem.Kind == description.Text:
		return fmt.Sprintf("[%q]", id)
	case id != "" && kind == description.Text:
		return fmt.Sprintf("%q", id)
	}
	return exampleOf(member.Type, firm)
}

func exampleOf(of *description.Type, firm operations.Firm) string {
	switch of.Kind {
	case description.UUID:
		return `"00000000-0000-4000-8000-000000000001"`
	case description.Integer:
		return "60"
	case description.Decimal:
		return "320.50"
	case description.Boolean:
		return "false"
	case description.Instant, description.DayOrInstant:
		return `"2026-03-01T09:30:00Z"`
	case description.Day:
		return `"2026-03-01"`
	case description.LocalTime:
		return `"2026-03-01T09:30:00"`
	case description.Ticks:
		return "639080418000000000"
	case description.Object, description.ObjectOrList, description.Any, description.Map:
		if of.Kind == description.Map && of.Elem.Kind == description.Text {
			return `{"source":"scanner"}`
		}
		return `{"source":"scanner","pageCount":3,"isSigned":true}`
	case description.List:
		return "[" + exampleOf(of.Elem, firm) + "]"
	case description.EnumNumber:
		return of.Enum.Values[0].Value
	case description.EnumText:
		return fmt.Sprintf("%q", of.Enum.Values[0].Value)
	case description.Ref:
		members := map[string]json.RawMessage{}
		for _, member := range of.Ref.Members {
			if !member.ReadOnly {
				members[member.Name] = json.RawMessage(example(member, firm))
			}
		}
		text, _ := json.Marshal(members) // cannot fail: every member is valid JSON
		return string(text)
	default:
		return `"Text"`
	}
}

// unsaid reports whether the field of a member is zero.
func unsaid(body any, name string) bool {
	field, found := fieldOf(reflect.ValueOf(body), name)
	return found && field.IsZero()
}
