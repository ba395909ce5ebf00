package practicetest_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// saidOf sends a value of a member in an otherwise empty body, or of a query
// parameter, and returns what the service says about it.
func saidOf(t *testing.T, s *practicetest.Server, method, path, name, raw string) (said string) {
	t.Helper()
	path, body := identifiers(s.Firm()).Replace(path), `{"`+name+`":`+raw+`}`
	if method == "GET" {
		path, body = path+"?"+url.Values{name: {raw}}.Encode(), ""
	}
	s.Tolerate(func() {
		refused := call(t, s).do(method, path, body)
		if refused.Status < 300 {
			return
		}
		for _, one := range refused.list("errors") {
			if fault := one.(map[string]any); fault["field"] == name {
				said = fault["message"].(string)
			}
		}
	})
	return said
}

// TestValuesOfEachKind checks which of the given values a member or query
// parameter of each kind accepts.
func TestValuesOfEachKind(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithRequestLog(0))
	const (
		folders, events, fees, archive = "/matters/{matter}/documents/folders", "/events", "/matters/{matter}/fees", "/matters/{matter}/archive"
		protect                        = "/bankaccounts/{BankAccountID}/protect-funds"
		requisitions                   = "/bankaccounts/{BankAccountID}/requisitions"
	)
	tests := map[string]struct {
		method, path, name string
		right              []string
		wrong              map[string]string // part of the message
	}{
		"any": {"PATCH", "/matters/{matter}/layouts/{LayoutItemID}", "values", []string{`[{"state":1},{"state":"x"},{"state":{}},{"state":[null]}]`}, nil},
		"text": {
			"POST", folders, "name", []string{`"a"`, `"` + strings.Repeat("ä", 256) + `"`},
			map[string]string{`""`: "at least 1", `"` + strings.Repeat("ä", 257) + `"`: "at most 256", `" "`: "must not be blank", `1`: "must be a string", `null`: "must not be null"},
		},
		"text of a form": {
			"POST", "/webhooks", "eventTypes", []string{`["error"]`, `["matter.updated"]`},
			map[string]string{`["Error"]`: "does not match", `[null]`: "element 0: must be a string"},
		},
		"enumeration of texts": {
			"POST", requisitions, "source", []string{`"Check"`},
			map[string]string{`"check"`: "must be one of Bank Transfer, Bank Check,", `1`: "must be a string"},
		},
		"enumeration of numbers": {
			"POST", "/activitycodes", "rateType", []string{`0`, `1`}, map[string]string{`3`: "must be one of 0, 1, 2", `"1"`: "must be an integer"},
		},
		"UUID": {
			"POST", folders, "parentFolderId", []string{`"8E6F0a4e-0a3c-4b8e-9d5e-0a3c4b8e9d5e"`},
			map[string]string{`"x"`: "must be a UUID", `"8e6f0a4e00a3c-4b8e-9d5e-0a3c4b8e9d5e"`: "must be a UUID", `"8e6f0a4e-0a3c-4b8e-9d5e-0a3c4b8e9d5g"`: "must be a UUID"},
		},
		"integer": {
			"POST", "/events/{EventID}/reminders", "offset", []string{`-2147483648`, `0`, `2147483647`},
			map[string]string{
				`-2147483649`: "must be between -2147483648 and 2147483647", `2147483648`: "must be between -2147483648 and 2147483647",
				`1.0`: "must be an integer", `9223372036854775808`: "must be an integer",
			},
		},
		"decimal": {
			"POST", protect, "amount", []string{`0.01`, `1e3`, `12345.6789`},
			map[string]string{`0.009`: "must be at least 0.01", `"1"`: "must be a number", `1e400`: "must be a number"},
		},
		"boolean": {"POST", events, "allDay", []string{`true`, `false`}, map[string]string{`"true"`: "must be true or false", `1`: "must be true or false"}},
		"instant": {
			"PATCH", archive, "destroyDate", []string{`"2026-03-02T09:30:00Z"`, `"2026-03-02T09:30:00.1234567+11:00"`},
			map[string]string{`"2026-03-02T09:30:00"`: "date-time", `"2026-03-02T09:30:00.5"`: "date-time", `"2026-03-02T09:30:00,5Z"`: "date-time", `"2026-03-02"`: "date-time", `1`: "must be a string"},
		},
		"instant of any zone": {
			"POST", "/matters/{matter}/documents/files", "dateCreated", []string{`"2026-03-02T09:30:00"`, `"2026-03-02T09:30:00Z"`}, map[string]string{`"now"`: "date-time"},
		},
		"day": {
			"POST", "/matters/{matter}/expenses", "expenseDate", []string{`"2026-02-28"`},
			map[string]string{`"2026-02-29"`: "YYYY-MM-DD", `"2026-02-28T00:00:00"`: "YYYY-MM-DD"},
		},
		"day or instant": {"POST", protect, "effectiveDate", []string{`"2026-02-28"`, `"2026-02-28T00:00:00Z"`}, map[string]string{`"soon"`: "date"}},
		"local time": {
			"POST", events, "startTime", []string{`"2026-03-02T09:30:00"`, `"2026-03-02T09:30:00.5"`},
			map[string]string{`"2026-03-02T09:30:00Z"`: "YYYY-MM-DDThh:mm:ss", `"2026-03-02T09:30:00.5Z"`: "YYYY-MM-DDThh:mm:ss", `"2026-03-02T25:30:00.5"`: "YYYY-MM-DDThh:mm:ss"},
		},
		"ticks": {
			"GET", "/activitycodes", "UpdatedSince", []string{`638912345678901234`, `599266080000000000`, `693937152000000000`},
			map[string]string{
				`599266079999999999`: "not before 1900", `1772443800`: "not before 1900", `9999999999999999999`: "not before 1900",
				`693937152000000001`: "before 2200", `1764000000000000000`: "nanoseconds", `9000000000000000000`: "before 2200",
			},
		},
		"ticks or local time": {
			"GET", events, "UpdatedSince", []string{`638912345678901234`, `2026-03-02T09:30:00`},
			map[string]string{`1764000000000000000`: "nanoseconds", `1772443800`: "not before 1900", `soon`: "YYYY-MM-DD"},
		},
		"object of any members": {
			"POST", "/matters/{matter}/documents/files", "fileAdditionalData", []string{`{}`, `{"a":[1]}`},
			map[string]string{`[]`: "must be an object", `1`: "must be an object", `{"a":1,"a":2}`: "must be an object"},
		},
		"objects of known members": {
			"POST", fees, "sourceItems", []string{`[{}]`, `[{"description":null,"duration":6}]`},
			map[string]string{`[{"minutes":6}]`: "element 0: minutes: is not a member of the object", `[{"duration":null}]`: "duration: must not be null"},
		},
		"map":  {"POST", events, "additionalData", []string{`{}`, `{"a":"b"}`}, map[string]string{`{"b":1,"a":2}`: "a: must be a string", `[]`: "must be an object"}},
		"list": {"PUT", "/matters/{matter}/billingconfiguration", "debtorIds", []string{`[]`}, map[string]string{`[1]`: "element 0: must be a string", `["1","2","3","4"]`: "at most 3 elements", `{}`: "must be an array"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, raw := range tt.right {
				assert.Empty(t, saidOf(t, s, tt.method, tt.path, tt.name, raw), raw)
			}
			for raw, says := range tt.wrong {
				assert.Contains(t, saidOf(t, s, tt.method, tt.path, tt.name, raw), says, raw)
			}
		})
	}
}

func TestALenientServicePassesOverUnknownMembersAtEveryDepth(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithStrict(false))
	said := func(raw string) string { return saidOf(t, s, "POST", "/matters/{matter}/fees", "sourceItems", raw) }
	assert.Empty(t, said(`[{"minutes":6}]`))
	assert.NotEmpty(t, said(`[{"duration":"6"}]`), "known members are checked")
}

func TestTheFaultsOfAnObjectHaveAnOrder(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t)
	for range 20 {
		violations := s.Tolerate(func() {
			call(t, s).do("POST", "/matters/"+s.Firm().MatterID+"/documents/folders", `{"zebra":1,"apple":1,"userId":1,"mango":1}`).want(400)
		})
		assert.True(t, strings.HasSuffix(violations[0], "name: is required; userId: must be a string; apple: is not a member of the object; "+
			"mango: is not a member of the object; zebra: is not a member of the object"), violations[0])
	}
}

// TestWhatIsGivenForAParameter checks parameter values, which are texts. Only a
// list accepts several.
func TestWhatIsGivenForAParameter(t *testing.T) {
	t.Parallel()
	strict, lenient := call(t, practicetest.New(t)), call(t, practicetest.New(t, practicetest.WithStrict(false)))
	strict.get("/events?ExcludeDeletedEvents=TRUE").want(200) // a boolean has no case
	twice := strict.mistake("GET", "/events?ExcludeDeletedEvents=true&ExcludeDeletedEvents=false", "")
	assert.Contains(t, twice.Body, "must not occur more than once")
	lenient.get("/events?ExcludeDeletedEvents=true&ExcludeDeletedEvents=x").want(200) // a lenient service takes the first
	strict.get("/contacts?Type=Staff&Type=Person").want(200)
	other := strict.mistake("GET", "/contacts?Type=Staff&Type=staff", "")
	assert.Contains(t, other.text("errors", 0, "message"), `must be one of Staff, Person, Organisation, GroupOfPeople, Trust, not "staff"`)
}
