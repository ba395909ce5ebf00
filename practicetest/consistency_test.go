package practicetest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

func consistent(t *testing.T, c practicetest.Consistency, opts ...practicetest.Option) (*practicetest.Server, tree) {
	t.Helper()
	s := practicetest.New(t, append(opts, practicetest.WithVirtualClock(start), practicetest.WithConsistency(c))...)
	return s, documents(t, s)
}

func TestAReferenceToWhatIsNotVisibleYet(t *testing.T) {
	t.Parallel()
	inFolder := func(id string) string { return fmt.Sprintf(`{"name":"Inner","parentFolderId":%q}`, id) }

	s, d := consistent(t, practicetest.Consistency{Pending: practicetest.PendingAccepted})
	outer := d.create("Outer", "")
	d.do("POST", d.path(""), inFolder(outer)).want(202)
	s.Clock().Advance(time.Minute)
	folders, _ := d.names(outer)
	assert.Equal(t, []string{"Inner"}, folders)

	_, d = consistent(t, practicetest.Consistency{Pending: practicetest.PendingRefused})
	d.do("POST", d.path(""), inFolder(d.create("Outer", ""))).want(404)

	s, d = consistent(t, practicetest.Consistency{Pending: practicetest.PendingFails})
	inbox := subscribe(t, s, "error")
	outer = d.create("Outer", "")
	failed := d.do("POST", d.path(""), inFolder(outer)).want(202).text("id")
	s.Clock().Advance(time.Minute)
	assert.Equal(t, failed, inbox.wait(1)[0].text("payload", "resourceId"))
	folders, _ = d.names(outer)
	assert.Empty(t, folders)
}

// TestWritesOvertakeEachOther checks that writes with different delays overtake
// each other, but not a write that they refer to.
func TestWritesOvertakeEachOther(t *testing.T) {
	t.Parallel()
	order := func(seed uint64) (subjects []string) {
		s, _ := consistent(t, practicetest.Consistency{MinDelay: time.Millisecond, MaxDelay: time.Second},
			practicetest.WithSeed(seed), practicetest.WithRendering(practicetest.Rendering{}))
		inbox := subscribe(t, s, "fee.updated")
		for i := range 6 {
			fee := "/matters/" + s.Firm().MatterID + "/fees/" + s.Firm().FeeID
			call(t, s).do("PATCH", fee, fmt.Sprintf(`{"subject":"%d"}`, i)).want(202)
		}
		s.Clock().Advance(time.Minute)
		for _, n := range inbox.wait(6) {
			subjects = append(subjects, n.text("payload", "subject"))
		}
		return subjects
	}
	first := order(1)
	assert.ElementsMatch(t, []string{"0", "1", "2", "3", "4", "5"}, first)
	assert.NotEqual(t, []string{"0", "1", "2", "3", "4", "5"}, first)
	assert.Equal(t, first, order(1), "a seed has one order")
	assert.NotEqual(t, first, order(2))
}

func TestAListLagsBehindARead(t *testing.T) {
	t.Parallel()
	s, d := consistent(t, practicetest.Consistency{ListLag: time.Hour})
	id := d.create("New", "")
	s.Clock().Advance(time.Second)
	d.get(d.path(id)).want(200)
	folders, _ := d.names("")
	assert.NotContains(t, folders, "New")
	s.Settle()
	folders, _ = d.names("")
	assert.Contains(t, folders, "New")
}

func TestAnEventComesBeforeTheRecordOrAfterIt(t *testing.T) {
	t.Parallel()
	s, _ := consistent(t, practicetest.Consistency{EventLead: time.Minute})
	fee, inbox := "/matters/"+s.Firm().MatterID+"/fees/"+s.Firm().FeeID, subscribe(t, s, "fee.updated")
	call(t, s).do("PATCH", fee, `{"subject":"New"}`).want(202)
	s.Clock().Advance(time.Second)
	assert.Equal(t, "New", inbox.wait(1)[0].text("payload", "subject"))
	assert.NotEqual(t, "New", call(t, s).get(fee).text("subject"))
	s.Clock().Advance(time.Minute)
	assert.Equal(t, "New", call(t, s).get(fee).text("subject"))

	s, _ = consistent(t, practicetest.Consistency{EventLag: time.Minute})
	inbox = subscribe(t, s, "fee.updated")
	call(t, s).do("PATCH", fee, `{"subject":"New"}`).want(202)
	s.Clock().Advance(time.Second)
	assert.Equal(t, "New", call(t, s).get(fee).text("subject"))
	assert.Empty(t, s.Deliveries())
	s.Clock().Advance(time.Minute)
	inbox.wait(1)
}

// TestAWriteThatFailsLeavesNoGhost checks that a failed create has no effects:
// its id is not a valid parent, it has no upload address, and uploaded content
// raises no event.
func TestAWriteThatFailsLeavesNoGhost(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	d := documents(t, s)
	s.FailWrite("createFolder", "No space left")
	folder := d.create("New", "")
	s.FailWrite("createFile", "No space left")
	file := d.do("POST", "/matters/"+d.matter+"/documents/files", `{"fileName":"a.txt"}`).want(202)
	s.Settle()
	inbox := subscribe(t, s, "files.updated")

	d.do("POST", d.path(""), fmt.Sprintf(`{"name":"Inner","parentFolderId":%q}`, folder)).want(404)
	d.do("PATCH", d.path(folder), `{"name":"Other"}`).want(404)
	d.get("/matters/" + d.matter + "/documents/files/" + file.text("fileId") + "/upload").want(404)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, file.text("uploadUrl"), strings.NewReader("bytes that nobody wants"))
	require.NoError(t, err)
	answer, err := s.HTTPClient().Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	_, stored := s.FileContent(file.text("fileId"))
	assert.False(t, stored)
	s.Emit(practicetest.Event{Type: "noop"})
	assert.Equal(t, "noop", inbox.wait(1)[0].text("type"), "and nothing before it")
}

func TestTheRootFolderHasPages(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWriteDelay(0))
	d := documents(t, s)
	for i := range 600 {
		d.create(fmt.Sprint(i), "")
	}
	first := d.get(d.path("")).want(200)
	assert.Equal(t, []any{json.Number("606"), json.Number("500")}, []any{first.at("size"), first.at("limit")})
	assert.Len(t, first.list("value", 0, "folders"), 500)
	second := d.get(first.text("next", "href")[len(s.BaseURL()):]).want(200)
	assert.Len(t, second.list("value", 0, "folders"), 104)
	assert.Len(t, second.list("value", 0, "files"), 2)
	assert.Nil(t, second.at("next"))
}

// TestRecordsAreWrittenInSeveralForms checks that each rendering of a record
// contains the same values and the members that identify it.
func TestRecordsAreWrittenInSeveralForms(t *testing.T) {
	t.Parallel()
	read := func(r practicetest.Rendering) map[string]any {
		s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithRendering(r))
		f := s.Firm()
		return call(t, s).get("/matters/" + f.MatterID + "/expenses/" + f.ExpenseID).want(200).json().(map[string]any)
	}
	null := read(practicetest.Rendering{})
	assert.Contains(t, null, "invoiceId")
	assert.Nil(t, null["invoiceId"])
	assert.Equal(t, "Staff", null["staff"].(map[string]any)["relation"])

	absent := read(practicetest.Rendering{Empty: practicetest.EmptyAbsent, Rel: true})
	assert.NotContains(t, absent, "invoiceId")
	assert.Equal(t, "Staff", absent["staff"].(map[string]any)["rel"])
	for name, value := range absent {
		if name == "rel" { // the relation of the record itself
			name = "relation"
		}
		assert.Contains(t, null, name)
		assert.NotNil(t, value, name)
	}
	for _, name := range []string{"id", "href", "versionId", "matterId", "matter", "isDeleted"} {
		assert.Contains(t, absent, name)
	}

	full := read(practicetest.Rendering{Empty: practicetest.EmptyFull, Unknown: true})
	assert.Contains(t, full, "addedInALaterRelease")
	assert.Equal(t, json.Number("0"), full["outputTax"])
}

// TestEqualSeedsGiveEqualAnswers checks that equal seeds, clocks and requests
// result in identical responses.
func TestEqualSeedsGiveEqualAnswers(t *testing.T) {
	t.Parallel()
	talk := func() (all string) {
		s := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithConsistency(practicetest.Unkind()))
		f, c := s.Firm(), call(t, s)
		matter := "/matters/" + f.MatterID
		for i := range soak.Times(6, 20) {
			all += c.do("POST", matter+"/documents/folders", fmt.Sprintf(`{"name":"%d"}`, i)).want(202).Body
			all += c.do("POST", "/activitycodes", `{"code":"NEW"}`).want(202).Body
			all += c.do("PATCH", matter+"/fees/"+f.FeeID, fmt.Sprintf(`{"subject":"%d"}`, i)).want(202).Body
			all += c.do("POST", "/contacts/"+f.ContactID+"/tags", fmt.Sprintf(`["%d"]`, i)).want(201).Body
			s.Clock().Advance(50 * time.Millisecond)
			for _, path := range []string{
				"/activitycodes", "/bankaccounts", "/events", "/staff/" + f.StaffID, "/subscriptions/promotions", "/webhooks", "/policies/" + f.PolicyReference,
				matter + "/documents/folders", matter + "/fees/" + f.FeeID, "/contacts/" + f.ContactID + "/tags", "/subscriptions/" + f.SubscriptionID,
			} {
				all += c.get(path).want(200).Body
			}
		}
		return all
	}
	first, again := talk(), talk()
	assert.Equal(t, first, again)
}

// TestTheConsistencyIsChangedByACommand sets a delay of one hour, which then
// applies to new writes until the service is reset.
func TestTheConsistencyIsChangedByACommand(t *testing.T) {
	t.Parallel()
	s := controlled(t, practicetest.WithVirtualClock(start))
	matter := "/matters/" + s.Firm().MatterID
	takesEffect := func(text string) bool {
		call(t, s).do("PATCH", matter, `{"description":"`+text+`"}`).want(202)
		s.Clock().Advance(time.Minute)
		return call(t, s).get(matter).text("description") == text
	}
	assert.True(t, takesEffect("at first"))
	command(t, s, "PUT", "/consistency", `{"minDelayMilliseconds":3600000,"maxDelayMilliseconds":3600000}`).want(204)
	assert.False(t, takesEffect("later"))
	command(t, s, "PUT", "/consistency", `{}`).want(204)
	assert.True(t, takesEffect("again"))
	s.SetConsistency(practicetest.Consistency{MinDelay: time.Hour, MaxDelay: time.Hour})
	assert.False(t, takesEffect("not now"))
	s.Reset()
	assert.True(t, takesEffect("after the reset"))
	for _, wrong := range []string{`{"minDelayMilliseconds":1}`, `{"listLagMilliseconds":-1}`, `{"pending":3}`, `{"lag":1}`} {
		command(t, s, "PUT", "/consistency", wrong).want(400)
	}
}
