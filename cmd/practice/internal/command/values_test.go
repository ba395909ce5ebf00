package command

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
)

func TestTimesAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		// The clock of the bubble starts at midnight UTC on 1 January 2000.
		for text, want := range map[string]string{
			"3d":                        "1999-12-29T11:00:00+11:00",
			"2w":                        "1999-12-18T11:00:00+11:00",
			"90m":                       "2000-01-01T09:30:00+11:00",
			"09:30":                     "2000-01-01T09:30:00+11:00",
			"2026-11-01":                "2026-11-01T00:00:00+11:00",
			"2026-11-01 09:30":          "2026-11-01T09:30:00+11:00",
			"2026-11-01T09:30:15":       "2026-11-01T09:30:15+11:00",
			"2026-11-01T09:30:15Z":      "2026-11-01T09:30:15Z",
			"2026-11-01T09:30:15+01:00": "2026-11-01T09:30:15+01:00",
		} {
			at, err := parseTime(text, zoneOf(t, "Australia/Sydney"))
			require.NoError(t, err, text)
			assert.Equal(t, want, at.Format(time.RFC3339), text)
		}
		for _, text := range []string{"", "soon", "3x", "-3d", "2026-13-01", "25:00", "9999999d"} {
			_, err := parseTime(text, zoneOf(t, "UTC"))
			require.Error(t, err, text)
		}
	})
}

func zoneOf(t *testing.T, name string) (in zone) {
	t.Helper()
	require.NoError(t, in.Set(name))
	return in
}

// TestAZoneIsNotThatOfTheMachine refuses the names that the library refuses.
func TestAZoneIsNotThatOfTheMachine(t *testing.T) {
	for _, name := range []string{"", "Nowhere", "Local", "localtime", "posixrules", "right/UTC", "../UTC", "AUS Eastern Standard Time"} {
		got := execute(t, "", nil, "--sandbox", "matters", "list", "--zone", name)
		assert.Equal(t, exitMisused, got.code, name)
		assert.Contains(t, got.err, "unknown time zone: use a name such as Australia/Sydney")
	}
}

// TestClocksThatAreMovedShowSomeTimesTwiceOrNever tries the hours around both
// clock changes of a year, in zones that change by an hour, half an hour and a
// day.
func TestClocksThatAreMovedShowSomeTimesTwiceOrNever(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ text, zone, want, refused string }{
		{"2026-04-05T01:59", "Australia/Sydney", "2026-04-05T01:59:00+11:00", ""},
		{"2026-04-05T02:30", "Australia/Sydney", "", "use 2026-04-05T02:30:00+11:00 or 2026-04-05T02:30:00+10:00"},
		{"2026-04-05T03:00", "Australia/Sydney", "2026-04-05T03:00:00+10:00", ""},
		{"2026-10-04T01:59", "Australia/Sydney", "2026-10-04T01:59:00+10:00", ""},
		{"2026-10-04 02:30", "Australia/Sydney", "", "2026-10-04T02:30:00 does not exist in Australia/Sydney"},
		{"2026-10-04T03:00", "Australia/Sydney", "2026-10-04T03:00:00+11:00", ""},
		{"2026-10-04T02:15", "Australia/Lord_Howe", "", "does not exist in"},
		{"2026-04-05T01:45", "Australia/Lord_Howe", "", "twice"},
		{"2011-12-30", "Pacific/Apia", "", "does not exist in"},
		{"2026-10-04T02:30:00+10:00", "Australia/Sydney", "2026-10-04T02:30:00+10:00", ""},
	} {
		at, err := parseTime(row.text, zoneOf(t, row.zone))
		if row.refused != "" {
			require.ErrorContains(t, err, row.refused, row.text)
			continue
		}
		require.NoError(t, err, row.text)
		assert.Equal(t, row.want, at.Format(time.RFC3339), row.text)
		wall, err := clockTime(strings.TrimSuffix(row.text, "+10:00"), zoneOf(t, row.zone))
		require.NoError(t, err)
		assert.Equal(t, row.want[:len("2026-04-05T01:59")], wall.Format("2006-01-02T15:04"))
	}
}

// TestAMemberWithoutAZoneKeepsItsDigits sets local times that do not exist in
// the zone, and refuses times of another zone.
func TestAMemberWithoutAZoneKeepsItsDigits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for text, want := range map[string]string{
			"2026-10-04T02:30": `"2026-10-04T02:30:00"`, "2026-04-05 02:30": `"2026-04-05T02:30:00"`, "09:30": `"2000-01-01T09:30:00"`, "1h": `"2000-01-01T10:00:00"`,
		} {
			value, err := valueOf(reflect.TypeFor[models.LocalDateTime](), text, false, zoneOf(t, "Australia/Sydney"))
			require.NoError(t, err)
			assert.Equal(t, want, string(encode(value)), text)
		}
		for _, kind := range []reflect.Type{reflect.TypeFor[models.LocalDateTime](), reflect.TypeFor[models.Date]()} {
			_, err := valueOf(kind, "2026-10-04T02:30:00Z", false, zoneOf(t, "UTC"))
			require.ErrorContains(t, err, "without a zone")
		}
	})
}

func TestARefusalNamesTheFlagOfItsMember(t *testing.T) {
	t.Parallel()
	k := &call{app: &app{}, set: []string{"rateType=1", "items[0].name=x"}, null: []string{"tax"}}
	for argument, want := range map[string]string{
		"rate": "--set rate", "rateType": "--set rateType", "items": "--set items[0].name", "items[0].name.first": "--set items[0].name",
		"items[01]": "--set items[01]", "tax": "--null tax", "body": "--body",
	} {
		assert.Equal(t, want, k.nameOf(argument))
	}
}

func TestMembersAreSetByTheirTypes(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		body any
		set  []string
		want string // empty want: an error
	}{
		"a text stays a text":         {models.FeeWrite{}, []string{"description=385"}, `{"description":"385"}`},
		"an amount is a number":       {models.FeeWrite{}, []string{"rate=385.50"}, `{"rate":385.50}`},
		"yes and no":                  {models.FeeWrite{}, []string{"isBillable=true"}, `{"isBillable":true}`},
		"a day":                       {models.FeeWrite{}, []string{"feeDate=2026-11-01"}, `{"feeDate":"2026-11-01"}`},
		"an element of a list":        {models.FeeWrite{}, []string{"sourceItems[0].description=x"}, `{"sourceItems":[{"description":"x"}]}`},
		"JSON as it is":               {models.FeeWrite{}, []string{`sourceItems:=[]`}, `{"sourceItems":[]}`},
		"two members":                 {models.MemoWrite{}, []string{"title=a=b", "text="}, `{"text":"","title":"a=b"}`},
		"an amount that is none":      {models.FeeWrite{}, []string{"rate=much"}, ""},
		"a member that is unknown":    {models.FeeWrite{}, []string{"colour=red"}, ""},
		"an element that is too far":  {models.FeeWrite{}, []string{"sourceItems[1].description=x"}, ""},
		"a member of a text":          {models.FeeWrite{}, []string{"description=a", "description.b=c"}, ""},
		"JSON that is none":           {models.FeeWrite{}, []string{"sourceItems:=["}, ""},
		"an assignment without value": {models.FeeWrite{}, []string{"rate"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &call{app: &app{}, zone: zone{time.UTC}, set: row.set}
			var value any
			all, err := k.assignments()
			for _, a := range all {
				if err == nil {
					value, err = k.assign(value, reflect.TypeOf(row.body), a.path, a.text, a.raw)
				}
			}
			if row.want == "" {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			written, err := json.Marshal(value)
			require.NoError(t, err)
			assert.Equal(t, row.want, string(written))
		})
	}
}

func TestNamesOfCommandsAndFlags(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"UpdatedSince": "updated-since", "matterId": "matter-id", "BankAccounts": "bank-accounts", "GetUploadURL": "get-upload-url",
		"ListMatterBalances": "list-matter-balances", "RequestURL": "request-url", "URL": "url",
	} {
		assert.Equal(t, want, kebab(name))
	}
}

func FuzzTextsAreVisible(f *testing.F) {
	for _, seed := range []string{"a\x1b[31mb", "\u202eabc", "a\nb\tc", "\u0085", "plain", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := visible(text, false)
		assert.False(t, strings.ContainsFunc(shown, hidden), "%q", shown)
		if !utf8.ValidString(text) {
			return
		}
		written, err := json.Marshal(map[string]string{"a": text})
		require.NoError(t, err)
		safe := []byte(visible(string(written), true))
		assert.False(t, bytes.ContainsFunc(safe, hidden), "%q", safe)
		assert.JSONEq(t, string(written), string(safe), "the value stays the same")
	})
}

func FuzzAssignments(f *testing.F) {
	for _, seed := range []string{"rate=1", "a.b[0].c=d", "[0]=x", "a:=", "=x", "sourceItems[0].description=x", "..=1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, assignment string) {
		k := &call{app: &app{}, zone: zone{time.UTC}, set: []string{assignment}}
		all, err := k.assignments()
		if err != nil {
			return
		}
		value, err := k.assign(nil, reflect.TypeFor[models.FeeWrite](), all[0].path, all[0].text, all[0].raw)
		if err != nil {
			return
		}
		written, err := json.Marshal(value)
		require.NoError(t, err)
		assert.True(t, json.Valid(written))
	})
}

// TestEveryBodyHasASkeletonThatCanBeRead parses each skeleton like --body, and
// checks that each member has a description.
func TestEveryBodyHasASkeletonThatCanBeRead(t *testing.T) {
	t.Parallel()
	bodies := 0
	for _, o := range practice.Operations() {
		if o.Body == "" {
			continue
		}
		bodies++
		var texts [2]string
		for i, format := range []string{"", formatJSON} {
			var out bytes.Buffer
			k := &call{app: &app{Streams: Streams{Out: &out}, format: format}, operation: o}
			require.NoError(t, k.printSkeleton())
			texts[i] = out.String()
			k.body = out.String()
			value, err := k.givenBody(true)
			require.NoError(t, err, "%s: %s", o.ID, out.String())
			text, err := json.Marshal(value)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, o.NewBody()), "%s: %s", o.ID, text)
			for line := range strings.Lines(out.String()) {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), helpWidth+1, line)
			}
		}
		assert.NotContains(t, texts[1], "// ")
		named := strings.Count(texts[1], `": `) - strings.Count(texts[1], `"metadata": {`) // whose members have any name
		assert.GreaterOrEqual(t, strings.Count(texts[0], "// "), named, "%s: a sentence for each member\n%s", o.ID, texts[0])
	}
	assert.Greater(t, bodies, 80)
}
