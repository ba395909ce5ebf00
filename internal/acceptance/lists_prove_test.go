package acceptance_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

func twoEvents() practice.EventListOptions {
	return practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}
}

// TestTheEndOfACursorIsNotTheSize checks a list of cursors whose last page has
// no link although the size says more: the cursor is not asked again.
func TestTheEndOfACursorIsNotTheSize(t *testing.T) {
	t.Parallel()
	service := &testkit.Scripted{Pages: func(query url.Values) string {
		if query.Get("cursor") == "" {
			return testkit.Page(testkit.IDs(0, 2), "size", "5", "next", testkit.LinkTo("/events?cursor=c"))
		}
		return testkit.Page(testkit.IDs(2, 3), "size", "5")
	}}
	got, err := practice.Collect(testkit.ScriptedClient(t, service).Events.All(t.Context(), twoEvents()))
	require.ErrorIs(t, err, practice.ErrIncomplete)
	assert.Len(t, got, 3)
	assert.Len(t, service.Asked, 2)
}

// TestAFaultThatComesAgainHidesNoMissingRecord checks pages that repeat a record
// that cannot be read in place of another one.
func TestAFaultThatComesAgainHidesNoMissingRecord(t *testing.T) {
	t.Parallel()
	const fault = `{"id":"bad","subject":{"is":"no text"}}`
	service := &testkit.Scripted{Pages: func(query url.Values) string {
		at := testkit.OffsetOf(query)
		return testkit.Page([]string{`{"id":"` + strconv.Itoa(at) + `"}`, fault}, "size", "6")
	}}
	faults, records := 0, 0
	var ended error
	for _, err := range testkit.ScriptedClient(t, service).Events.All(t.Context(), twoEvents()) {
		switch _, ok := errors.AsType[*practice.RecordError](err); {
		case ok:
			faults++
		case err != nil:
			ended = err
		default:
			records++
		}
	}
	require.ErrorIs(t, ended, practice.ErrIncomplete)
	assert.Equal(t, []int{3, 1}, []int{records, faults})
}

// TestAPageThatComesAgainEndsTheWalk checks a service that ignores the offset:
// the page is known by its text, whatever its records lack.
func TestAPageThatComesAgainEndsTheWalk(t *testing.T) {
	t.Parallel()
	for name, records := range map[string][]string{
		"one record without an id": {`{"id":"1"}`, `{"subject":"none"}`},
		"no record with an id":     {`{"subject":"a"}`, `{"subject":"b"}`},
		"a fault":                  {`{"id":"1"}`, `null`},
	} {
		service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(records, "size", "9") }}
		_, err := practice.Collect(testkit.ScriptedClient(t, service).Events.All(t.Context(), twoEvents()))
		require.ErrorIs(t, err, practice.ErrRepeatedPage, name)
		assert.LessOrEqual(t, len(service.Asked), 3, name)
	}
}

// TestAWalkDoesNotEndAtAPageShorterThanItAskedFor checks a service that sends at
// most two records, whatever is requested, and neither a size nor a link.
func TestAWalkDoesNotEndAtAPageShorterThanItAskedFor(t *testing.T) {
	t.Parallel()
	for name, members := range map[string][]string{"an object": nil, "an object with the limit": {"limit", "500"}} {
		for length := range 6 {
			service := &testkit.Scripted{Pages: func(query url.Values) string {
				from := min(testkit.OffsetOf(query), length)
				return testkit.Page(testkit.IDs(from, min(from+2, length)), members...)
			}}
			got, err := practice.Collect(testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{}))
			require.NoError(t, err, name)
			assert.Len(t, got, length, name)
		}
		whole := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(testkit.IDs(0, 3), members...) }}
		got, err := practice.Collect(testkit.ScriptedClient(t, whole).Events.All(t.Context(), practice.EventListOptions{}))
		require.NoError(t, err, "a list that ignores the offset")
		assert.Len(t, got, 3)
		assert.Len(t, whole.Asked, 2)
	}
}

// TestCallAllYieldsNoRecordOfAnEmptyList compares it with List.
func TestCallAllYieldsNoRecordOfAnEmptyList(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{`{"value":null}`, `{"size":0}`, `{"value":[]}`, `[]`} {
		client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return answer }})
		listed, failed := client.BankAccounts.List(t.Context(), practice.BankAccountListOptions{})
		records, err := practice.Collect(client.CallAll(t.Context(), "listBankAccounts", nil, nil))
		require.Equal(t, failed == nil, err == nil, answer)
		if failed == nil {
			assert.Empty(t, listed.Items)
		}
		assert.Empty(t, records, answer)
	}
}

func TestCallReportsElementsThatAreNoRecords(t *testing.T) {
	t.Parallel()
	answer := `{"value":[{"id":"` + askedID + `"},{},null,{"id":"` + anotherID + `"}],"size":4}`
	client, _ := answering(t, &answer)
	var text []byte
	var raw json.RawMessage
	var free any
	for _, out := range []any{&text, &raw, &free, new(practice.Page[models.StaffMember])} {
		err := client.Call(t.Context(), "listStaff", nil, nil, out)
		odd, is := errors.AsType[*practice.RecordError](err)
		require.True(t, is, "%T: %v", out, err)
		assert.Equal(t, 1, odd.Index, "%T", out)
		assert.ErrorContains(t, err, "record 2 (value[2])", "%T", out)
	}
	assert.Equal(t, answer, string(text), "the list remains as it came")
}

// TestCallTakesArgumentsDecodedFromJSON checks the kinds of numbers, nil, and
// paging parameters of 0, which the method leaves out.
func TestCallTakesArgumentsDecodedFromJSON(t *testing.T) {
	t.Parallel()
	var decoded map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"Limit":50,"Offset":0,"MatterId":null}`), &decoded))
	for _, arguments := range []map[string]any{decoded, {"Limit": uint(50)}, {"Limit": json.Number("50"), "Offset": 0}} {
		service := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(nil, "size", "0") }}
		var page practice.Page[models.CalendarEvent]
		require.NoError(t, testkit.ScriptedClient(t, service).Call(t.Context(), "listEvents", arguments, nil, &page))
		assert.Equal(t, url.Values{"Limit": {"50"}}, service.Asked[0])
	}
	err := testkit.ScriptedClient(t, &testkit.Scripted{}).Call(t.Context(), "listEvents", map[string]any{"Limit": 1.5}, nil, nil)
	require.ErrorContains(t, err, "Limit")
}

// TestCallAllReadsAListOfOneResponseAsAListOfPages checks what no page proves,
// elements that are no records, and that a create is sent once.
func TestCallAllReadsAListOfOneResponseAsAListOfPages(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]struct {
		records, faults int
		end             error
	}{
		`[{"id":"1"},{"id":"2"}]`:                                       {2, 0, nil},
		`{"value":[{"id":"1"},{"id":"2"}],"size":2}`:                    {2, 0, nil},
		`{"value":[{"id":"1"},{},null,{"error":"x"},7,"a",{"id":"2"}]}`: {2, 5, nil},
		`{"value":[{"id":"1"},{"id":"2"}],"size":3}`:                    {2, 0, practice.ErrIncomplete},
		`{"value":[{"id":"1"}],"next":{"href":"/bankaccounts?x=2"}}`:    {1, 0, practice.ErrIncomplete},
		`{"value":null,"size":3}`:                                       {0, 0, practice.ErrEmptyPage},
		`{"error":"x"}`:                                                 {0, 0, practice.ErrEmptyPage},
	} {
		service := &testkit.Scripted{Pages: func(url.Values) string { return answer }}
		client := testkit.ScriptedClient(t, service)
		records, err := practice.Collect(client.CallAll(t.Context(), "listBankAccounts", nil, nil))
		assert.Len(t, records, want.records, answer)
		assert.Len(t, testkit.RecordErrors(err), want.faults, answer)
		if want.end != nil {
			require.ErrorIs(t, err, want.end, answer)
		} else if want.faults == 0 {
			require.NoError(t, err, answer)
		}
		assert.Len(t, service.Asked, 1, answer)
	}
	texts := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return `["a","b",null]` }})
	records, err := practice.Collect(texts.CallAll(t.Context(), "listMatterTypeCategories", nil, nil))
	assert.Equal(t, []json.RawMessage{json.RawMessage(`"a"`), json.RawMessage(`"b"`)}, records)
	assert.Len(t, testkit.RecordErrors(err), 1)
}

// TestCallAllOfAFolderReportsEntriesThatAreNone compares it with AllEntries.
func TestCallAllOfAFolderReportsEntriesThatAreNone(t *testing.T) {
	t.Parallel()
	answer := `{"value":[{"folders":[{"id":"1","name":"a"},null,{}],"files":[{"error":"x"},{"id":"2","name":"b","sizeBytes":[]},{"id":"3","name":"c"}]},null],"name":"f"}`
	client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return answer }})
	entries, err := practice.Collect(client.Documents.AllEntries(t.Context(), askedID, askedID))
	records, failed := practice.Collect(client.CallAll(t.Context(), "getFolder", map[string]any{"matterId": askedID, "folderId": askedID}, nil))
	require.Len(t, entries, 2)
	require.Len(t, records, 2)
	for i := range records {
		assert.Contains(t, string(records[i]), `"id":"`+entries[i].ID()+`"`)
	}
	assert.Len(t, testkit.RecordErrors(err), 5)
	assert.Len(t, testkit.RecordErrors(failed), 5)
}

// TestAFolderPageThatComesAgainEndsTheWalk checks a service that ignores the
// offset, with entries that have no id or cannot be read.
func TestAFolderPageThatComesAgainEndsTheWalk(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]string{
		"no record":           `null`,
		"an entry without id": `{"name":"a"}`,
		"a text":              `"a"`,
		"a list of none":      `{},{"error":"x"}`,
	} {
		for _, rest := range []string{``, `,"size":9`} {
			service := &testkit.Scripted{Pages: func(query url.Values) string {
				return `{"value":[{"folders":[],"files":[` + files + `]}],"name":"f","offset":` + cmp.Or(query.Get("offset"), "0") + rest + `}`
			}}
			client := testkit.ScriptedClient(t, service)
			reads := 0
			for range client.Documents.AllEntries(t.Context(), askedID, askedID) {
				if reads++; reads > 20 {
					break
				}
			}
			for range client.CallAll(t.Context(), "getFolder", map[string]any{"matterId": askedID, "folderId": askedID}, nil) {
				if reads++; reads > 20 {
					break
				}
			}
			assert.LessOrEqual(t, reads, 8, name+rest)
			assert.LessOrEqual(t, len(service.Asked), 6, name+rest)
		}
	}
}
