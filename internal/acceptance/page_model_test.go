package acceptance_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

var randomWalks = flag.Int("walks", soak.Times(soak.Least(500), 50_000), "how many random lists TestRandomWalks walks over")

// randomList generates a list in one of the forms that services use, and may
// corrupt one page.
type randomList struct {
	random  *rand.Rand
	records []string // JSON of the records
	seed    uint64
	most    int // maximum number of records on a page, whatever is requested

	sizes    string // pages with a size: "all", the "first" or "none"
	links    int    // spelling of the member next; 0: none
	bare     bool   // pages are JSON arrays, full except for the last
	echoes   bool   // pages contain their position
	varying  bool   // pages have different lengths
	breaking string // how a page is corrupted; empty: not at all
	broken   int    // position of the corrupted page, or a position on the corrupted page, or before it if that page could not be corrupted
	done     bool   // whether the page was corrupted
}

func newRandomList(seed uint64, breaking bool) *randomList {
	random := rand.New(rand.NewPCG(seed, 11))
	l := &randomList{random: random, seed: seed, most: 1 + random.IntN(12), echoes: random.IntN(2) == 0}
	for i := range random.IntN(60) {
		id := i
		if i > 0 && random.IntN(8) == 0 {
			id = random.IntN(i) // a repeated id, as for the dates of a series
		}
		l.records = append(l.records, fmt.Sprintf(`{"id":"e%d","subject":"%d"}`, id, i))
	}
	switch random.IntN(4) {
	case 0:
		l.sizes, l.bare = "none", true
	case 1:
		l.sizes, l.links = "none", 1+random.IntN(5)
	case 2:
		l.sizes = []string{"all", "first"}[random.IntN(2)]
	default:
		l.sizes, l.links = []string{"all", "first"}[random.IntN(2)], 1+random.IntN(5)
	}
	l.varying = !l.bare && random.IntN(2) == 0
	if !breaking || len(l.records) == 0 {
		return l
	}
	ways := []string{"no body", "null", "{}"}
	if !l.bare {
		ways = append(ways, "[]", "null value", "no records")
	}
	if l.links > 0 && l.links < 5 {
		ways = append(ways, "far link", "short with its link", "empty with its link", "alternating")
	}
	if l.sizes != "none" {
		ways = append(ways, "short", "skips one", "begins early", "says nothing", "comes again")
	}
	l.breaking, l.broken = ways[random.IntN(len(ways))], random.IntN(len(l.records))
	return l
}

// length returns the number of records of the page at a position.
func (l *randomList) length(offset, limit int) int {
	n := min(limit, l.most)
	if l.bare {
		n = limit // for bare arrays, a short page means the end of the list
	}
	if l.varying {
		n = 1 + rand.New(rand.NewPCG(l.seed, uint64(offset))).IntN(n)
	}
	return min(n, max(0, len(l.records)-offset))
}

func (l *randomList) answer(query url.Values) string {
	offset, _ := strconv.Atoi(query.Get("Offset"))
	limit, _ := strconv.Atoi(query.Get("Limit"))
	n := l.length(offset, limit)
	records := l.records[min(offset, len(l.records)):][:n]
	if l.breaking != "" && offset+n > l.broken && (offset <= l.broken || l.done) {
		if text, broken := l.breakPage(offset, n, records); broken {
			return text
		}
	}
	return l.page(offset, offset+n, limit, records)
}

// page returns the JSON of a page; end is where the next page begins.
func (l *randomList) page(offset, end, limit int, records []string) string {
	if l.bare {
		return "[" + strings.Join(records, ",") + "]"
	}
	var members []string
	if l.echoes {
		members = append(members, "offset", strconv.Itoa(offset), "limit", strconv.Itoa(limit))
	}
	if l.sizes == "all" || l.sizes == "first" && offset == 0 {
		members = append(members, "size", strconv.Itoa(len(l.records)))
	}
	if l.links > 0 && end < len(l.records) {
		members = append(members, "next", testkit.LinkTo(fmt.Sprintf([]string{
			"https://api.example.test/v1/events?offset=%d&limit=9", "/events?Limit=9&Offset=%d", "?OFFSET=%d", "events?offset=%d&matterId=other", "/events?cursor=c%d",
		}[l.links-1], end)))
	}
	return testkit.Page(records, members...)
}

// breakPage returns the corrupted page. It returns false if this kind of
// corruption is not possible at the position.
func (l *randomList) breakPage(offset, n int, records []string) (string, bool) {
	if n == 0 {
		return "", false
	}
	first := !l.done
	l.done = true
	end, size := offset+n, len(l.records)
	switch l.breaking {
	case "no body", "null", "{}", "[]", "null value", "no records", "says nothing":
		if !first || offset == 0 && slices.Contains([]string{"[]", "null value", "no records", "says nothing"}, l.breaking) {
			return "", false // an empty first page is a valid empty list
		}
		return map[string]string{
			"no body": "", "null": "null", "{}": "{}", "[]": "[]", "null value": `{"value":null}`, "no records": testkit.Page(nil), "says nothing": testkit.Page(records[:len(records)/2]),
		}[l.breaking], true
	case "far link":
		return l.page(offset, end+1+l.random.IntN(5), 9, records), first && end+6 < size
	case "short with its link":
		return l.page(offset, end, 9, records[:n-1]), first && n > 0 && end < size
	case "empty with its link":
		return l.page(offset, end, 9, nil), first && n > 0 && end < size
	case "alternating":
		return l.page(offset, end, 9, l.records[:min(n, size)]), offset > 0 && end < size
	case "short":
		return testkit.Page(records[:n-1], "size", strconv.Itoa(size)), first && offset > 0
	case "skips one":
		return testkit.Page(l.records[min(offset+1, size):min(end+1, size)]), first && offset > 0
	case "begins early":
		return testkit.Page(l.records[max(offset-1, 0) : end-1]), first && offset > 0
	case "comes again":
		return testkit.Page(l.records[:min(n, size)], "size", strconv.Itoa(size)), offset > 0
	}
	return "", false
}

// TestRandomWalks checks that a walk yields every record in order, or ends with
// an error. It must not fail for an intact list.
func TestRandomWalks(t *testing.T) {
	t.Parallel()
	failed, complete := 0, 0
	for i := range *randomWalks {
		l := newRandomList(uint64(i), i%2 == 1)
		limit, prefetch := 1+l.random.IntN(12), l.random.IntN(6)
		service := &testkit.Scripted{Pages: l.answer}
		options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: limit}, MatterID: "m1"}
		var walked []string
		var ended error
		for event, err := range testkit.ScriptedClient(t, service).Events.All(t.Context(), options, practice.WithPrefetch(prefetch)) {
			if ended = err; err == nil {
				walked = append(walked, fmt.Sprintf(`{"id":%q,"subject":%q}`, event.ID, event.Subject))
			}
		}
		how := fmt.Sprintf("list %d of %d: limit %d of %d, prefetch %d, size on %s, links %d, bare %t, %q at %d", i, len(l.records), limit, l.most, prefetch, l.sizes, l.links, l.bare, l.breaking, l.broken)
		if l.breaking == "" {
			require.NoError(t, ended, how)
		}
		if ended == nil {
			require.Equal(t, l.records, walked, how)
			complete++
		} else {
			failed++
		}
		for _, q := range service.Asked {
			require.Equal(t, "m1", q.Get("MatterId"), how)
			require.Empty(t, q["matterId"], how)
		}
	}
	assert.Positive(t, failed)
	assert.Positive(t, complete)
	t.Logf("%d walks: %d with every record, %d with an error", *randomWalks, complete, failed)
}

// TestALongWalkIsResumedByOtherProcesses reads seven events per process, which
// stores its position as JSON.
func TestALongWalkIsResumedByOtherProcesses(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 10}, From: time.Unix(0, 0)}
	want, err := practice.Collect(server.Client(t).Events.All(t.Context(), options))
	require.NoError(t, err)
	server.ResetRequests()

	var stored []byte
	var got []models.CalendarEvent
	for process := 0; len(got) < len(want); process++ {
		require.Less(t, process, 10)
		var position practice.WalkPosition
		if stored != nil {
			require.NoError(t, json.Unmarshal(stored, &position))
		}
		for event, err := range server.Client(t).Events.All(t.Context(), options, practice.WithPosition(&position), practice.WithPrefetch(0)) {
			require.NoError(t, err)
			got = append(got, event)
			stored, err = json.Marshal(position)
			require.NoError(t, err)
			if len(got)%7 == 0 {
				break
			}
		}
	}
	assert.Equal(t, want, got)
	assert.Len(t, server.Requests(), 4+5, "four pages, and one that was left in the middle for each of the five that went on")
}

func TestAWalkWithoutPagingParametersIsResumed(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	matter := server.Firm().MatterID
	client := server.Client(t)
	want, err := practice.Collect(client.Documents.AllEntries(t.Context(), matter, ""))
	require.NoError(t, err)
	require.Greater(t, len(want), 2)
	var position practice.WalkPosition
	var got []practice.Entry
	for range want {
		for entry, err := range client.Documents.AllEntries(t.Context(), matter, "", practice.WithPosition(&position)) {
			require.NoError(t, err)
			got = append(got, entry)
			break
		}
	}
	assert.Equal(t, want, got)
	rest, err := practice.Collect(client.Documents.AllEntries(t.Context(), matter, "", practice.WithPosition(&position)))
	require.NoError(t, err)
	assert.Empty(t, rest)
}

// TestAPositionIsForItsList checks that the position in the list of one matter
// is refused for that of another.
func TestAPositionIsForItsList(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	firm, client := server.Firm(), server.Client(t)
	begins := func(client *practice.Client, options practice.EventListOptions, position *practice.WalkPosition, opts ...practice.CallOption) error {
		for _, err := range client.Events.All(t.Context(), options, append(opts, practice.WithPosition(position))...) {
			return err
		}
		return nil
	}
	own := practice.EventListOptions{From: time.Unix(0, 0), ListOptions: practice.ListOptions{Limit: 3}}
	var position practice.WalkPosition
	require.NoError(t, begins(client, own, &position))
	at := position
	require.NoError(t, begins(client, practice.EventListOptions{From: own.From, ListOptions: practice.ListOptions{Limit: 7}}, &position), "the size of its pages may differ")

	for name, err := range map[string]error{
		"another matter":  begins(client, practice.EventListOptions{From: own.From, MatterID: firm.MatterID}, &at),
		"another time":    begins(client, practice.EventListOptions{From: time.Unix(1, 0)}, &at),
		"another query":   begins(client, own, &at, practice.WithQuery("Status", "Mine")),
		"another account": begins(client.ForAccount(firm.AccountID), own, &at),
		"another user":    begins(client.With(practice.WithUserID(firm.UserID)), own, &at),
	} {
		assert.ErrorContains(t, err, "belongs to a list with other ids or filters", name)
	}
	var fees practice.WalkPosition
	for _, err := range client.Fees.All(t.Context(), firm.MatterIDs[0], practice.FeeListOptions{}, practice.WithPosition(&fees)) {
		require.NoError(t, err)
		break
	}
	_, err := practice.Collect(client.Fees.All(t.Context(), firm.MatterIDs[1], practice.FeeListOptions{}, practice.WithPosition(&fees)))
	assert.ErrorContains(t, err, "belongs to a list with other ids or filters")
}

func TestAPositionThatCannotBe(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	client := server.Client(t)
	for text, says := range map[string]string{
		`{"method":"Tasks.All"}`:                     "belongs to the method Tasks.All",
		`{"method":"Events.All","offset":-1}`:        "is not a valid position",
		`{"method":"Events.All","done":-1}`:          "is not a valid position",
		`{"method":"Events.All","query":"%zz"}`:      "is not a valid position",
		`{"method":"Events.All","largest":-1}`:       "is not a valid position",
		`{"method":"Events.All","list":"of before"}`: "belongs to a list with other ids or filters",
	} {
		var position practice.WalkPosition
		require.NoError(t, json.Unmarshal([]byte(text), &position))
		_, err := practice.Collect(client.Events.All(t.Context(), practice.EventListOptions{}, practice.WithPosition(&position)))
		require.ErrorContains(t, err, says)
	}
	_, err := client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithPosition(new(practice.WalkPosition)))
	require.ErrorContains(t, err, "applies only to methods that return an iterator")
	_, err = client.Events.List(t.Context(), practice.EventListOptions{}, practice.WithPosition(nil))
	require.ErrorContains(t, err, "must not be nil")
	assert.Empty(t, server.Requests(), "nothing is sent")
}

// TestOnlyAllMethodsTakeAPosition checks that other methods refuse a position.
// A method that searches only the rest of a list would miss records.
func TestOnlyAllMethodsTakeAPosition(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	firm, client := server.Firm(), server.Client(t)
	resume, since := practice.WithPosition(new(practice.WalkPosition)), time.Unix(0, 0)
	for name, call := range map[string]func(context.Context) error{
		"Fees.Get": func(ctx context.Context) error {
			return testkit.Discard(client.Fees.Get(ctx, firm.MatterID, testkit.SomeID, resume))
		},
		"Fees.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Fees.FindCreated(ctx, firm.MatterID, models.FeeWrite{}, since, resume))
		},
		"Expenses.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Expenses.FindCreated(ctx, firm.MatterID, models.ExpenseWrite{}, since, resume))
		},
		"BankAccounts.FindCreatedTransaction": func(ctx context.Context) error {
			return testkit.Discard(client.BankAccounts.FindCreatedTransaction(ctx, testkit.SomeID, models.TransactionCreate{}, since, resume))
		},
		"Contacts.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Contacts.FindCreated(ctx, models.ContactWrite{}, since, resume))
		},
		"Events.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Events.FindCreated(ctx, models.CalendarEventWrite{}, since, resume))
		},
		"Matters.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Matters.FindCreated(ctx, models.MatterWrite{}, since, resume))
		},
		"Memos.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Memos.FindCreated(ctx, firm.MatterID, models.MemoWrite{}, since, resume))
		},
		"Roles.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Roles.FindCreated(ctx, firm.MatterID, models.RoleWrite{}, resume))
		},
		"Tasks.FindCreated": func(ctx context.Context) error {
			return testkit.Discard(client.Tasks.FindCreated(ctx, models.TaskWrite{}, since, resume))
		},
		"Documents.FindCreatedFile": func(ctx context.Context) error {
			return testkit.Discard(client.Documents.FindCreatedFile(ctx, firm.MatterID, models.FileCreate{}, since, resume))
		},
		"Contacts.GetMany": func(ctx context.Context) error {
			return testkit.Discard(client.Contacts.GetMany(ctx, []string{testkit.SomeID}, resume))
		},
		"Memos.Modify": func(ctx context.Context) error {
			return testkit.Discard(client.Memos.Modify(ctx, firm.MatterID, testkit.SomeID, func(*models.MemoWrite) error { return nil }, resume))
		},
		"Documents.EnsurePath": func(ctx context.Context) error {
			return testkit.Discard(client.Documents.EnsurePath(ctx, firm.MatterID, "Letters", practice.EnsureFolderOptions{}, resume))
		},
		"Documents.Walk": func(ctx context.Context) error {
			for _, err := range client.Documents.Walk(ctx, firm.MatterID, practice.WalkOptions{}, resume) {
				return err
			}
			return nil
		},
		"Documents.FS": func(ctx context.Context) error {
			return testkit.Discard(fs.ReadDir(client.Documents.FS(ctx, firm.MatterID, resume), "."))
		},
		"Do": func(ctx context.Context) error {
			return client.Do(ctx, practice.Request{Method: "GET", Path: "/staff"}, nil, resume)
		},
	} {
		assert.ErrorContains(t, call(t.Context()), "applies only to methods that return an iterator", name)
	}
	assert.Empty(t, server.Requests(), "nothing is sent")
}

// TestAnErrorThatEndsAWalkResetsItsPosition checks that the error for a list
// that became shorter resets the position. Otherwise every later walk would end
// with it, too.
func TestAnErrorThatEndsAWalkResetsItsPosition(t *testing.T) {
	t.Parallel()
	records := testkit.IDs(0, 9)
	service := &testkit.Scripted{Pages: func(query url.Values) string {
		from := min(testkit.OffsetOf(query), len(records))
		return testkit.Page(records[from:min(from+2, len(records))], "size", strconv.Itoa(len(records)))
	}}
	client := testkit.ScriptedClient(t, service)
	var stored []byte
	// As in the documentation, the program stores the position at each step.
	run := func(most int) (got []string, ended error) {
		var position practice.WalkPosition
		if stored != nil {
			require.NoError(t, json.Unmarshal(stored, &position))
		}
		for event, err := range client.Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}, practice.WithPosition(&position)) {
			if err == nil {
				got = append(got, event.ID)
			}
			text, broken := json.Marshal(position)
			require.NoError(t, broken)
			stored = text
			if err != nil {
				return got, err
			}
			if len(got) == most {
				break
			}
		}
		return got, nil
	}
	first, err := run(3)
	require.NoError(t, err)
	assert.Equal(t, testkit.IDs(0, 3), first)

	records = records[:7]
	_, err = run(99)
	require.ErrorIs(t, err, practice.ErrListChanged)
	for range 3 {
		again, err := run(99)
		require.NoError(t, err)
		assert.Subset(t, testkit.IDs(0, 7), again)
	}
	var position practice.WalkPosition
	require.NoError(t, json.Unmarshal(stored, &position))
	assert.NotZero(t, position)
}

// TestOnlyAnErrorOfTheListResetsThePosition checks errors on any page: a
// failure that does not concern the list keeps the position.
func TestOnlyAnErrorOfTheListResetsThePosition(t *testing.T) {
	t.Parallel()
	for second, resets := range map[string]bool{
		testkit.Page(testkit.IDs(0, 2)): true, // a repeated page
		`{"value":[],"size":9}`:         true, // an empty page
		testkit.Page(testkit.IDs(2, 4), "next", testkit.LinkTo("?offset=9")): true,
		`{"value":`: false, // invalid JSON
		`{}`:        false,
	} {
		service := &testkit.Scripted{Pages: func(query url.Values) string {
			if testkit.OffsetOf(query) == 0 {
				return testkit.Page(testkit.IDs(0, 2), "next", testkit.LinkTo("?offset=2"))
			}
			return second
		}}
		var position practice.WalkPosition
		var ended error
		for _, err := range testkit.ScriptedClient(t, service).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}, practice.WithPosition(&position)) {
			ended = err
		}
		require.Error(t, ended, second)
		assert.Equal(t, resets, position == practice.WalkPosition{}, "%s: %v", second, ended)
	}
}

// TestAWalkGoesOnFromTheLastFullPageBehindACursor checks a list without a size
// that continues by cursor: it ends with its last page, full or not, and so
// does a resumed walk.
func TestAWalkGoesOnFromTheLastFullPageBehindACursor(t *testing.T) {
	t.Parallel()
	for length := 1; length <= 6; length++ {
		service := &testkit.Scripted{Pages: func(query url.Values) string {
			from, _ := strconv.Atoi(query.Get("cursor"))
			end := min(from+2, length)
			if end == length {
				return testkit.Page(testkit.IDs(from, end))
			}
			return testkit.Page(testkit.IDs(from, end), "next", testkit.LinkTo("/events?cursor="+strconv.Itoa(end)))
		}}
		client := testkit.ScriptedClient(t, service)
		options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 2}}
		for stop := 1; stop <= length; stop++ {
			if length <= 2 {
				continue // the list has one page and no cursor
			}
			var position practice.WalkPosition
			var got []string
			for event, err := range client.Events.All(t.Context(), options, practice.WithPosition(&position)) {
				require.NoError(t, err)
				if got = append(got, event.ID); len(got) == stop {
					break
				}
			}
			for range 2 {
				for event, err := range client.Events.All(t.Context(), options, practice.WithPosition(&position)) {
					require.NoError(t, err, "%d records, stop after %d", length, stop)
					got = append(got, event.ID)
				}
			}
			assert.Equal(t, testkit.IDs(0, length), got)
		}
	}
}

// TestAnArrayOfExactlyAPageIsWhole checks two services that send arrays: one
// returns the same array for every page and so has no pages, the other has
// pages.
func TestAnArrayOfExactlyAPageIsWhole(t *testing.T) {
	t.Parallel()
	array := func(ids []string) string { page := testkit.Page(ids); return page[len(`{"value":`) : len(page)-1] }
	options := practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 4}}
	for length := range 10 {
		for prefetch := range 3 {
			whole := &testkit.Scripted{Pages: func(url.Values) string { return array(testkit.IDs(0, length)) }}
			paged := &testkit.Scripted{Pages: func(query url.Values) string {
				from := min(testkit.OffsetOf(query), length)
				return array(testkit.IDs(from, min(from+4, length)))
			}}
			for how, service := range map[string]*testkit.Scripted{"whole": whole, "paged": paged} {
				var position practice.WalkPosition
				var got []string
				for range 2 {
					for event, err := range testkit.ScriptedClient(t, service).Events.All(t.Context(), options, practice.WithPosition(&position), practice.WithPrefetch(prefetch)) {
						require.NoError(t, err, "%s, %d records", how, length)
						got = append(got, event.ID)
					}
				}
				assert.Equal(t, testkit.IDs(0, length), got, "%s, %d records", how, length)
			}
		}
	}
	same := &testkit.Scripted{Pages: func(url.Values) string { return testkit.Page(testkit.IDs(0, 4)) }}
	_, err := practice.Collect(testkit.ScriptedClient(t, same).Events.All(t.Context(), options))
	require.ErrorIs(t, err, practice.ErrRepeatedPage, "an object could have told a size")
	later := &testkit.Scripted{Pages: func(query url.Values) string {
		from := min(testkit.OffsetOf(query), 4)
		return array(testkit.IDs(from, from+4))
	}}
	_, err = practice.Collect(testkit.ScriptedClient(t, later).Events.All(t.Context(), practice.EventListOptions{ListOptions: practice.ListOptions{Limit: 4}}))
	require.Error(t, err, "a later page that comes again is no whole list")
}

// TestAPositionHoldsNoPersonalData checks that a stored position contains
// neither user nor filter.
func TestAPositionHoldsNoPersonalData(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t, practicetest.WithEvents(40))
	firm := server.Firm()
	var position practice.WalkPosition
	for _, err := range testkit.ServerToServer(t, server).With(practice.WithUserID(firm.UserID)).Events.All(t.Context(), practice.EventListOptions{MatterID: firm.MatterID}, practice.WithPosition(&position)) {
		require.NoError(t, err)
		break
	}
	text, err := json.Marshal(position)
	require.NoError(t, err)
	for _, private := range []string{firm.UserID, firm.MatterID, firm.AccountID, "example"} {
		assert.NotContains(t, strings.ToLower(string(text)), strings.ToLower(private))
	}
}
