package conversion

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

// converter converts the JSON of a record to that of a body.
type converter func(t *testing.T, c *description.Conversion, record map[string]any) (body string, left Left)

// through decodes the record and the body as a Modify method does.
func through[R, W any](t *testing.T, c *description.Conversion, sample map[string]any) (string, Left) {
	t.Helper()
	text, err := json.Marshal(sample)
	require.NoError(t, err)
	record, body := new(R), new(W)
	require.NoError(t, codec.Unmarshal(text, record, models.Wire), string(text))
	read, err := codec.AppendRequest(nil, record, models.Wire)
	require.NoError(t, err)
	converted, left := Of(c.Operation.Area.Name+"."+c.Operation.ModifyMethod()).Body(read, nil)
	require.NoError(t, codec.Unmarshal(converted, body, models.Wire), string(converted))
	written, err := codec.AppendRequest(nil, body, models.Wire)
	require.NoError(t, err)
	return string(written), left
}

// converters returns the types of all Modify methods, by the id of the operation
// that replaces the record.
func converters() map[string]converter {
	return map[string]converter{
		"updateActivityCode":         through[models.ActivityCode, models.ActivityCodeWrite],
		"updateEvent":                through[models.CalendarEvent, models.CalendarEventWrite],
		"updateContact":              through[models.Contact, models.ContactWrite],
		"updateExpense":              through[models.Expense, models.ExpenseWrite],
		"updateFile":                 through[models.File, models.FileWrite],
		"updateFolder":               through[models.FolderListingPage, models.FolderWrite],
		"updateFee":                  through[models.Fee, models.FeeWrite],
		"updateFirm":                 through[models.Firm, models.FirmWrite],
		"updateFirmUser":             through[models.FirmUser, models.FirmUserWrite],
		"updateGroup":                through[models.Group, models.GroupWrite],
		"updateStaff":                through[models.StaffMember, models.StaffMemberWrite],
		"updateMatterRole":           through[models.Role, models.RoleWrite],
		"updateRelationship":         through[models.Relationship, models.RelationshipWrite],
		"updateMatter":               through[models.Matter, models.MatterWrite],
		"updateMatterArchive":        through[models.MatterArchive, models.MatterArchiveWrite],
		"updateBillingConfiguration": through[models.BillingConfiguration, models.BillingConfigurationWrite],
		"updateMemo":                 through[models.Memo, models.MemoWrite],
		"updateTask":                 through[models.Task, models.TaskWrite],
		"updateSubTask":              through[models.Subtask, models.SubtaskWrite],
		"updatePlugin":               through[models.Plugin, models.PluginWrite],
		"updatePolicy":               through[models.Policy, models.PolicyWrite],
		"updateWebhook":              through[models.WebhookSubscription, models.WebhookSubscriptionWrite],
	}
}

// special lists the members whose conversion is not a plain copy, written by
// hand from the API specification: ids of links, and members that cannot be
// read back.
var special = map[string]string{
	"updateActivityCode":         "updatedByUserId instruction",
	"updateBillingConfiguration": "debtorIds of debtors",
	"updateContact": "company.companyManagedBy of companyManagedBy, company.directorIds of directors, " +
		"groupOfPeople.peopleIds of people, person.identificationDetails unreadable",
	"updateEvent":    "additionalData of additionalData, attendees of attendees, eventType superseded, externalAttendees of externalAttendees, matterId of matter",
	"updateExpense":  "assignToFirmOwner instruction, updatedByUserId instruction",
	"updateFee":      "updatedByUserId instruction",
	"updateFile":     "fileAdditionalData of additionalData, fileName of name+fileExtension, folderId of folder, userId instruction",
	"updateFirm":     "",
	"updateFirmUser": "",
	"updateFolder":   "parentFolderId of parentId, userId instruction",
	"updateGroup":    "",
	"updateMatter": "branchId of branch, clientIds of clients, clientRole unreadable, matterTypeId of matterType, " +
		"originatingStaffId of originatingStaff, originatingStaffIds of originatingStaffs, otherSideIds of otherSides, " +
		"otherSideRole unreadable, personAssistingStaffId of personAssisting, personAssistingStaffIds of personAssistingStaffs, " +
		"personResponsibleStaffId of personResponsible, referrerId of referrer, supervisorStaffId of supervisor",
	"updateMatterArchive": "",
	"updateMatterRole": "contactId of contact, displayName unreadable, isMatterItemRequired unreadable, relationships.contactId of contact, " +
		"relationships.displayName unreadable, relationships.isMatterItemRequired unreadable, " +
		"relationships.representativeIds of representatives, representativeIds of representatives",
	"updateMemo":   "createdDateUtc of createdDate, userId instruction",
	"updatePlugin": "key instruction",
	"updatePolicy": "",
	"updateRelationship": "contactId of contact, displayName unreadable, isMatterItemRequired unreadable, " +
		"representativeIds of representatives",
	"updateStaff":   "",
	"updateSubTask": "completedByStaffId of completedBy, completedDate superseded, staffId instruction",
	"updateTask": "assigneeIds of assignees, completedByStaffId of completedBy, completedDate superseded, dueDate superseded, " +
		"matterId of matter, staffId instruction",
	"updateWebhook": "key unreadable",
}

func conversionsOf(t *testing.T) map[string]*description.Conversion {
	t.Helper()
	document, err := description.Load(os.DirFS("../../api"))
	require.NoError(t, err)
	all, problems := document.Conversions()
	require.Empty(t, problems)
	byID := map[string]*description.Conversion{}
	for _, c := range all {
		byID[c.Operation.ID] = c
	}
	return byID
}

// TestEveryMemberOfAReplacementHasAFate checks the conversions that follow from
// the description against the table special.
func TestEveryMemberOfAReplacementHasAFate(t *testing.T) {
	t.Parallel()
	for id, c := range conversionsOf(t) {
		told := fates(c, "")
		slices.Sort(told)
		assert.Equal(t, special[id], strings.Join(told, ", "), id)
	}
}

func fates(c *description.Conversion, path string) (told []string) {
	for _, m := range c.Members {
		switch {
		case m.Fate != description.Kept:
			told = append(told, fmt.Sprintf("%s%s %s", path, m.Name, m.Fate))
		case m.With != nil:
			told = append(told, fmt.Sprintf("%s%s of %s+%s", path, m.Name, m.From.Name, m.With.Name))
		case m.Form != description.AsItIs && m.Form != description.Time && m.Of == nil || m.From.Name != m.Name:
			told = append(told, fmt.Sprintf("%s%s of %s", path, m.Name, m.From.Name))
		}
		if m.Of != nil {
			told = append(told, fates(m.Of, path+m.Name+".")...)
		}
	}
	return told
}

// TestAConversionKeepsEveryMember converts a record in which every member has a
// different value.
func TestAConversionKeepsEveryMember(t *testing.T) {
	t.Parallel()
	for id, c := range conversionsOf(t) {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			convert := converters()[id]
			require.NotNil(t, convert, "add it to converters")
			s := &conversionSample{}
			record := s.record(c.Record)
			body, left := convert(t, c, record)
			var lost []string
			want, err := json.Marshal(wanted(c, record, "", &lost))
			require.NoError(t, err)
			assert.JSONEq(t, string(want), body)
			assert.ElementsMatch(t, lost, texts(left.Unreadable))
			assert.Empty(t, left.Unknown, "the description knows them")
		})
	}
}

// TestAConversionTellsOfEveryUnknownMember checks that an unknown member is
// reported, in the record and in every object from which the body takes
// members.
func TestAConversionTellsOfEveryUnknownMember(t *testing.T) {
	t.Parallel()
	for id, c := range conversionsOf(t) {
		convert := converters()[id]
		if convert == nil || c.Record.Kind == description.Page {
			continue // a page has members that its record lacks
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := &conversionSample{}
			record := s.record(c.Record)
			var paths []string
			putUnknown(c, record, "", &paths)
			body, left := convert(t, c, record)
			assert.ElementsMatch(t, paths, texts(left.Unknown))
			assert.NotContains(t, body, "notYetKnown", "the body is closed")
		})
	}
}

func texts(members []Member) (all []string) {
	for _, member := range members {
		all = append(all, member.String())
	}
	return all
}

func putUnknown(c *description.Conversion, record map[string]any, path string, paths *[]string) {
	record["notYetKnown"], record["unknownButNull"] = json.RawMessage(`{"a": 1.50}`), nil
	*paths = append(*paths, path+"notYetKnown")
	for _, m := range c.Members {
		switch m.Form {
		case description.InObject:
			putUnknown(m.Of, record[m.From.Name].(map[string]any), path+m.Name+".", paths)
		case description.InObjects:
			for _, one := range record[m.From.Name].([]any) {
				putUnknown(m.Of, one.(map[string]any), path+m.Name+".", paths)
			}
		}
	}
}

// conversionSample generates values that all differ.
type conversionSample struct{ n, depth int }

// deepest limits the depth of a record that contains records of its own kind.
const deepest = 6

func (s *conversionSample) record(of *description.Schema) map[string]any {
	record := map[string]any{}
	if s.depth++; s.depth > deepest {
		s.depth--
		return record
	}
	defer func() { s.depth-- }()
	for _, m := range of.Members {
		record[m.Name] = s.value(m.Type)
	}
	if of.Kind == description.Record {
		record["href"], record["rel"], record["method"] = "/things/1", "thing", "GET"
		record["self"] = map[string]any{"href": "/things/1"}
	}
	return record
}

func (s *conversionSample) value(of *description.Type) any {
	s.n++
	switch of.Kind {
	case description.List:
		return []any{s.value(of.Elem), s.value(of.Elem)}
	case description.Map:
		return map[string]any{"a": s.value(of.Elem)}
	case description.Ref:
		if of.Ref.Name == "Link" {
			return map[string]any{"id": fmt.Sprintf("id-%d", s.n), "href": "/things/1"}
		}
		return s.record(of.Ref)
	case description.EnumText:
		return of.Enum.Values[s.n%len(of.Enum.Values)].Value
	case description.EnumNumber:
		return json.Number(of.Enum.Values[len(of.Enum.Values)-1].Value)
	case description.Integer, description.Ticks:
		return s.n
	case description.Decimal:
		return json.Number(fmt.Sprintf("%d.50", s.n))
	case description.Boolean:
		return true
	case description.Instant, description.DayOrInstant:
		return fmt.Sprintf("2026-07-01T%02d:%02d:00Z", s.n/60%24, s.n%60)
	case description.Day:
		return fmt.Sprintf("2026-07-%02d", 1+s.n%28)
	case description.LocalTime:
		return fmt.Sprintf("2026-07-01T%02d:%02d:00", s.n/60%24, s.n%60)
	case description.UUID:
		return fmt.Sprintf("632ed7c7-ef4f-5faf-8178-%012d", s.n)
	case description.Object, description.Any, description.ObjectOrList:
		return map[string]any{"free": fmt.Sprintf("text %d", s.n)}
	default:
		return fmt.Sprintf("text %d", s.n)
	}
}

// wanted returns the body that keeps a record.
func wanted(c *description.Conversion, record map[string]any, path string, lost *[]string) map[string]any {
	body := map[string]any{}
	for _, m := range c.Members {
		if m.Fate == description.Unreadable {
			*lost = append(*lost, path+m.Name)
		}
		if m.Fate == description.Instruction && m.Required {
			body[m.Name] = "" // the caller must set it
		}
		if m.Fate != description.Kept {
			continue
		}
		switch value := record[m.From.Name]; m.Form {
		case description.IDOf:
			body[m.Name] = value.(map[string]any)["id"]
		case description.IDsOf:
			ids := []any{}
			for _, one := range value.([]any) {
				ids = append(ids, one.(map[string]any)["id"])
			}
			body[m.Name] = ids
		case description.InObject:
			body[m.Name] = wanted(m.Of, value.(map[string]any), path+m.Name+".", lost)
		case description.InObjects:
			all := []any{}
			for _, one := range value.([]any) {
				all = append(all, wanted(m.Of, one.(map[string]any), path+m.Name+".", lost))
			}
			body[m.Name] = all
		case description.Behind:
			body[m.Name] = value.(string) + record[m.With.Name].(string)
		case description.ByName:
			body[m.Name] = json.Number(numberOf(m.From.Type.Enum, m.Type.Enum, value.(string)))
		default:
			body[m.Name] = value
		}
	}
	return body
}

func numberOf(from, to *description.Enum, value string) string {
	for _, a := range from.Values {
		for _, b := range to.Values {
			if a.Value == value && a.Name == b.Name {
				return b.Value
			}
		}
	}
	return ""
}

func TestWhatCannotBeConvertedIsToldAndNotLeftOut(t *testing.T) {
	t.Parallel()
	inner := Table{{to: "a", from: "a", form: "="}, {to: "b", form: "unreadable"}}
	outer := Table{
		{to: "whoId", from: "who", form: "id"}, {to: "allIds", from: "all", form: "ids"}, {to: "kind", from: "kind", form: "name", values: "One=1 Two=2"},
		{to: "folderId", from: "in", form: "id", values: "folders"}, {to: "whole", from: "name", form: "joined", values: "ending"},
		{to: "one", from: "one", form: "object", of: &inner}, {to: "several", from: "several", form: "objects", of: &inner}, {to: "at", from: "at", form: "time"},
		{to: "note", from: "note", form: "="}, {to: "free", from: "free", form: "texts"},
	}
	for name, test := range map[string]struct{ record, body, unreadable string }{
		"all of it":                       {`{"who":{"id":"1"},"all":[{"id":"2"}],"kind":"Two","at":"2026-01-01"}`, `{"whoId":"1","allIds":["2"],"kind":2,"at":"2026-01-01"}`, ""},
		"what is null or missing":         {`{"who":null}`, `{}`, ""},
		"a link with an address only":     {`{"who":{"href":"/firm/"}}`, `{}`, "whoId"},
		"one such link of several":        {`{"all":[{"id":"2"},{"href":"/firm/"}]}`, `{}`, "allIds"},
		"free members, some of them null": {`{"free":{"a":"x","b":null}}`, `{"free":{"a":"x"}}`, ""},
		"free members that are no texts":  {`{"free":{"a":"x","b":2}}`, `{}`, "free"},
		"a value without a like":          {`{"kind":"Three"}`, `{}`, "kind"},
		"the zero time":                   {`{"at":"0001-01-01T00:00:00"}`, `{}`, ""},
		"the zero time with a zone":       {`{"at":"0001-01-01T00:00:00.0000000+10:00"}`, `{}`, ""},
		"the zero day":                    {`{"at":"0001-01-01"}`, `{}`, ""},
		"a time of that day":              {`{"at":"0001-01-01T00:00:00.5Z"}`, `{"at":"0001-01-01T00:00:00.5Z"}`, ""},
		"a text that is like a time":      {`{"note":"0001-01-01T00:00:00"}`, `{"note":"0001-01-01T00:00:00"}`, ""},
		"what an object cannot hold":      {`{"one":{"a":1}}`, `{"one":{"a":1}}`, "one.b"},
		"what the elements cannot hold":   {`{"several":[{"a":1},{"a":2}]}`, `{"several":[{"a":1},{"a":2}]}`, "several.b several.b"},
		"an object of another kind":       {`{"one":[1]}`, `{}`, "one"},
		"the address of such a record":    {`{"in":{"href":"https://api.example.test/v1/folders/a%20b"}}`, `{"folderId":"a b"}`, ""},
		"the address of another kind":     {`{"in":{"href":"/files/7"}}`, `{}`, "folderId"},
		"an address that ends early":      {`{"in":{"href":"/folders/"}}`, `{}`, "folderId"},
		"a text and its end":              {`{"name":"a<b","ending":".txt"}`, `{"whole":"a<b.txt"}`, ""},
		"an end without a text":           {`{"ending":".txt"}`, `{"whole":".txt"}`, ""},
		"neither text nor end":            {`{"name":null,"ending":null}`, `{}`, ""},
		"a text without an end":           {`{"name":"a","ending":null}`, `{"whole":"a"}`, ""},
	} {
		body, left := outer.Body([]byte(test.record), nil)
		assert.JSONEq(t, test.body, string(body), name)
		assert.Equal(t, test.unreadable, strings.Join(texts(left.Unreadable), " "), name)
	}
}
