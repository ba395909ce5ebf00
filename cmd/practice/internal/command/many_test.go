package command

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// desk holds a folder and a service, as a person who runs lists has them.
type desk struct {
	*testing.T
	server *practicetest.Server
	folder string
}

// atDesk runs a test with a service in virtual time.
func atDesk(t *testing.T, test func(d desk), opts ...practicetest.Option) {
	t.Helper()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t, append([]practicetest.Option{practicetest.WithMatters(2), practicetest.WithTokenLifetime(1000 * time.Hour)}, opts...)...)
		test(desk{t, server, folder})
	})
}

// file writes a list, and returns its place.
func (d desk) file(name, text string) string {
	d.Helper()
	path := filepath.Join(d.folder, name)
	require.NoError(d, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// runs executes practice run, and returns the lines of its report as well.
func (d desk) runs(args ...string) (got result, lines []rowReport) {
	d.Helper()
	return d.runsWith(d.Context(), d.server.HTTPClient(), "", args...)
}

func (d desk) runsWith(ctx context.Context, wire *http.Client, stdin string, args ...string) (got result, lines []rowReport) {
	d.Helper()
	own := d.server.Credentials()
	env := map[string]string{"PRACTICE_BASE_URL": d.server.BaseURL(), "PRACTICE_API_KEY": own.APIKey, "PRACTICE_ACCESS_TOKEN": own.AccessToken, "PRACTICE_CONFIG_DIR": d.folder}
	var out, said bytes.Buffer
	a := &app{Streams: Streams{strings.NewReader(stdin), &out, &said}, env: func(name string) string { return env[name] }, wire: wire}
	defer a.close()
	got.code = a.execute(ctx, append([]string{"run", "-o", "jsonl"}, args...))
	got.out, got.err = out.String(), said.String()
	decoder := json.NewDecoder(&out)
	for decoder.More() {
		var line rowReport
		require.NoError(d, decoder.Decode(&line), got.out)
		lines = append(lines, line)
	}
	return got, lines
}

// sent returns how many requests of an operation have arrived.
func (d desk) sent(operation string) (n int) {
	for _, r := range d.server.Requests() {
		if r.Operation == operation {
			n++
		}
	}
	return n
}

// fees returns the subjects of the fees whose description begins with "row".
func (d desk) fees() (all []string) {
	d.Helper()
	d.server.Settle()
	for fee, err := range d.server.Client(d.T).Fees.All(d.Context(), d.server.Firm().MatterID, practice.FeeListOptions{}) {
		require.NoError(d, err)
		if strings.HasPrefix(fee.Description, "row ") {
			all = append(all, fee.Description)
		}
	}
	slices.Sort(all)
	return all
}

// sheet returns a list of fees, as CSV with commas.
func (d desk) sheet(rows int) string {
	var b strings.Builder
	b.WriteString("matterId,feeDate,subject,description,rate,duration\n")
	for i := range rows {
		fmt.Fprintf(&b, "%s,2026-03-02,\"Advice, by phone\",row %d,385.50,%d\n", d.server.Firm().MatterID, i, 6+i%7)
	}
	return b.String()
}

var statuses = func(lines []rowReport) map[string]int {
	counts := map[string]int{}
	for _, line := range lines {
		name := string(line.Status)
		if line.Before {
			name += " before"
		}
		counts[name]++
	}
	return counts
}

// TestAListThatASpreadsheetSavedAgainIsSentOnce saves one list in five
// encodings, with other separators, columns in another order and other zeros.
func TestAListThatASpreadsheetSavedAgainIsSentOnce(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		list := d.sheet(5)
		turned := strings.NewReplacer("rate,duration\n", "duration,rate\n").Replace(list)
		turned = strings.ReplaceAll(turned, "385.50,", "")
		for n := range 7 {
			turned = strings.ReplaceAll(turned, fmt.Sprintf(",%d\n", 6+n), fmt.Sprintf(",%d,385.5\n", 6+n))
		}
		semicolons := strings.NewReplacer(`"Advice, by phone"`, "Advice, by phone", ",", ";", ", by", ", by").Replace(strings.ReplaceAll(list, "Advice, by phone", "Advice|by phone"))
		semicolons = strings.ReplaceAll(semicolons, `"Advice|by phone"`, `"Advice, by phone"`)
		unit := func(order binary.AppendByteOrder, text string) string {
			var data []byte
			for _, u := range utf16.Encode([]rune(text)) {
				data = order.AppendUint16(data, u)
			}
			return string(data)
		}
		journal := filepath.Join(d.folder, "journal")
		for n, saved := range []string{
			list, "\ufeff" + strings.ReplaceAll(list, "\n", "\r\n"), "\ufeffsep=;\r\n" + semicolons, unit(binary.LittleEndian, "\ufeff"+turned), unit(binary.BigEndian, list),
			strings.ToUpper(list[:36]) + list[36:],
		} {
			if n == 5 { // ids as another system writes them
				saved = strings.ReplaceAll(list, d.server.Firm().MatterID, strings.ToUpper(d.server.Firm().MatterID))
			}
			got, lines := d.runs("createFee", d.file("list.csv", saved), "--journal", journal, "--yes", "--expect-rows", "5")
			require.Equal(d, exitDone, got.code, "%d: %s", n, got.err)
			want := map[string]int{"accepted": 5}
			if n > 0 {
				want = map[string]int{"accepted before": 5}
			}
			assert.Equal(d, want, statuses(lines), n)
		}
		assert.Equal(d, 5, d.sent("createFee"))
		assert.Equal(d, []string{"row 0", "row 1", "row 2", "row 3", "row 4"}, d.fees())
	})
}

// TestWhatARunRefusesSendsNothing has what is found before the first row.
func TestWhatARunRefusesSendsNothing(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		m := d.server.Firm().MatterID
		head := "matterId,feeDate,subject,rate\n"
		row := m + ",2026-03-02,Advice,1\n"
		for name, of := range map[string]struct {
			text, said string
			args       []string
		}{
			"no operation":                {head + row, "did you mean createFee?", []string{"createFe"}},
			"a read":                      {head + row, "practice fees list", []string{"listFees"}},
			"an unknown column":           {"matterId,feeDate,subject,Betrag\n" + row, `line 1: column "Betrag": unknown member`, []string{"createFee"}},
			"a column twice":              {"matterId,feeDate,subject,rate,rate\n", "occurs twice", []string{"createFee"}},
			"two columns for one member":  {head + row, "both map to rate", []string{"createFee", "--map", "subject=rate"}},
			"no column of the path":       {"feeDate,subject\n2026-03-02,x\n", "no column for matterId", []string{"createFee"}},
			"a cell without a column":     {"matterId,feeDate,subject,\n" + row, "line 2: a cell is in a column that has no name", []string{"createFee"}},
			"… also in the second one":    {"matterId,feeDate,subject,,\n" + strings.ReplaceAll(row, ",1\n", ",,1\n"), "line 2: a cell is in a column that has no name", []string{"createFee"}},
			"a member twice":              {`{"matterId":"` + m + `","feeDate":"2026-03-02","subject":"Advice","rate":1,"rate":2}`, `line 1: column "rate" occurs twice`, []string{"createFee"}},
			"equal rows":                  {head + row + row + m + ",2026-03-02,Other,1\n" + m + ",2026-03-02,Advice,1.00\n", "lines 2, 3, 5 are identical", []string{"createFee"}},
			"keys twice":                  {"id," + head + "1," + row + "1," + m + ",2026-03-02,Other,1\n", "lines 2, 3 have the same key", []string{"createFee", "--key", "id", "--equal-rows=count"}},
			"an empty key":                {"id," + head + "," + row, "the key is empty", []string{"createFee", "--key", "id"}},
			"a key that is no column":     {head + row, `--key: the list has no column "id"`, []string{"createFee", "--key", "id"}},
			"a decimal comma":             {head + row + m + ",2026-03-02,Advice,\"385,50\"\n", `line 3: column "rate": must be a number`, []string{"createFee"}},
			"perhaps thousands":           {head + m + ",2026-03-02,Advice,1.234\n", "is ambiguous, because the point", []string{"createFee"}},
			"a day of another order":      {head + m + ",02.03.2026,Advice,1\n", `column "feeDate"`, []string{"createFee"}},
			"a required member":           {"matterId,feeDate\n" + m + ",2026-03-02\n", "line 2: subject", []string{"createFee"}},
			"a value that is none":        {"matterId,feeDate,subject,feeType\n" + m + ",2026-03-02,x,9\n", "feeType", []string{"createFee"}},
			"another charset":             {head + m + ",2026-03-02,\xc4rger,1\n", "as UTF-8", []string{"createFee"}},
			"a row too short":             {head + row + "x,y\n", "line 3: ", []string{"createFee"}},
			"no rows":                     {head, "the list has no rows", []string{"createFee"}},
			"an empty file":               {"", "line 1: ", []string{"createFee"}},
			"a broken line of JSON":       {`{"matterId":"` + m + `"` + "\n", "line 1: not a JSON object", []string{"createFee"}},
			"a deleted record twice":      {"matterId,id\n" + m + ",A\n" + m + ",A\n", "are for the same record", []string{"deleteFee"}},
			"money without a number":      {head + row, "--expect-rows", []string{"createFee", "--yes"}},
			"another number":              {head + row, "has 1 rows, but --expect-rows is 2", []string{"createFee", "--yes", "--expect-rows", "2"}},
			"the list is read from stdin": {head + row, "not confirmed", []string{"createFee"}},
			"no finder":                   {"", "--accept-unknown", []string{"sendPortalMessage"}},
			"a wait for nothing":          {"", "--wait", []string{"addMatterTags", "--accept-unknown", "--wait"}},
		} {
			journal := filepath.Join(d.folder, strings.ReplaceAll(name, " ", "-"))
			args := append([]string{of.args[0], d.file("list.csv", of.text), "--journal", journal}, of.args[1:]...)
			got, lines := d.runs(args...)
			assert.Equal(d, exitMisused, got.code, "%s: %s", name, got.err)
			assert.Contains(d, strings.ReplaceAll(got.err, `\"`, `"`), of.said, name)
			assert.Empty(d, lines, name)
			assert.NoFileExists(d, journal, name)
		}
		for _, r := range d.server.Requests() {
			assert.Equal(d, http.MethodGet, r.Method)
		}
	})
}

// TestAJournalOfAnotherRunIsRefused changes what a journal is about.
func TestAJournalOfAnotherRunIsRefused(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		list := d.file("list.csv", d.sheet(2))
		got, _ := d.runs("createFee", list, "--yes", "--expect-rows", "2")
		require.Equal(d, exitDone, got.code, got.err)
		for _, args := range [][]string{{"createFee", list, "--ignore", "rate"}, {"createFee", list, "--key", "description"}, {"createFee", list, "--equal-rows", "count"}} {
			got, _ := d.runs(append(args, "--yes", "--expect-rows", "2")...)
			assert.Equal(d, exitMisused, got.code)
			assert.Contains(d, got.err, "the journal belongs to another run", args)
		}
		assert.Equal(d, 2, d.sent("createFee"))
	})
}

// TestARunAsksOnce asks for all rows, with the exact sum.
func TestARunAsksOnce(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		list := d.file("list.csv", d.sheet(3))
		for answer, want := range map[string]int{"no\n": 0, "yes\n": 3} {
			got, _ := d.runsWith(d.Context(), d.server.HTTPClient(), answer, "createFee", list)
			assert.Contains(d, got.err, "createFee for 3 rows, sum of rate 1156.50, in ")
			assert.Equal(d, want == 3, got.code == exitDone, got.err)
		}
		assert.Equal(d, 3, d.sent("createFee"))
	})
}

// TestARunOfPipedRowsKeepsItsJournal reads JSON lines from stdin.
func TestARunOfPipedRowsKeepsItsJournal(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		lines := fmt.Sprintf(`{"matterId":%q,"title":"a","text":"x"}`+"\n\n"+`{"text":"y","title":"a","Akte":%[1]q}`+"\n", d.server.Firm().MatterID)
		journal := filepath.Join(d.folder, "journal")
		for _, want := range []map[string]int{{"accepted": 2}, {"accepted before": 2}} {
			got, report := d.runsWith(d.Context(), d.server.HTTPClient(), lines, "createMemo", "--map", "Akte=matterId", "--journal", journal)
			require.Equal(d, exitDone, got.code, got.err)
			assert.Equal(d, want, statuses(report))
			assert.ElementsMatch(d, []int{1, 3}, []int{report[0].Line, report[1].Line})
		}
	})
}

// TestRowsThatFailAreDoneByTheNextRun refuses a row, and corrects it.
func TestRowsThatFailAreDoneByTheNextRun(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		id, wrong := d.server.Firm().MatterID, "6a0f5b1e-0000-4000-8000-000000000000"
		text := "no,matterId,title,text\n1," + id + ",a,x\n2," + wrong + ",a,y\n"
		list := d.file("list.csv", text)
		got, lines := d.runs("createMemo", list, "--key", "no")
		assert.Equal(d, exitIncomplete, got.code, got.err)
		assert.Equal(d, map[string]int{"accepted": 1, "failed": 1}, statuses(lines))
		d.file("list.csv", strings.ReplaceAll(text, wrong, id))
		got, lines = d.runs("createMemo", list, "--key", "no", "--wait")
		assert.Equal(d, exitDone, got.code, got.err)
		assert.Equal(d, map[string]int{"done before": 1, "done": 1}, statuses(lines))
		d.file("list.csv", strings.ReplaceAll(strings.ReplaceAll(text, wrong, id), ",x", ",z"))
		got, lines = d.runs("createMemo", list, "--key", "no")
		assert.Equal(d, exitIncomplete, got.code, got.err)
		assert.Equal(d, map[string]int{"accepted before": 1, "failed": 1}, statuses(lines))
		assert.Contains(d, got.out, "was already sent with different values")
		assert.Equal(d, 3, d.sent("createMemo"))
	})
}

// TestAKeyIsOneHoweverItIsWritten saves one list with keys as texts, with escapes
// and as numbers, in JSON and in CSV.
func TestAKeyIsOneHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		id := d.server.Firm().MatterID
		journal := filepath.Join(d.folder, "journal")
		run := func(text string) (result, map[string]int) {
			got, lines := d.runsWith(d.Context(), d.server.HTTPClient(), text, "createMemo", "--key", "no", "--journal", journal)
			return got, statuses(lines)
		}
		for _, row := range []struct {
			key  string
			want string
		}{{`"caf\u00e9 \"1\""`, "accepted"}, {`"café \"1\""`, "accepted before"}, {`" caf\u00E9 \u00221\u0022 "`, "accepted before"}, {`7`, "accepted"}, {`"7"`, "accepted before"}} {
			got, counts := run(fmt.Sprintf(`{"no":%s,"matterId":%q,"title":"a","text":"x"}`+"\n", row.key, id))
			assert.Equal(d, exitDone, got.code, got.err)
			assert.Equal(d, map[string]int{row.want: 1}, counts, row.key)
		}
		got, counts := run("no,matterId,title,text\n\"café \"\"1\"\"\"," + id + ",a,x\n")
		assert.Equal(d, exitDone, got.code, got.err)
		assert.Equal(d, map[string]int{"accepted before": 1}, counts)
		for _, key := range []string{`null`, `""`, `" "`} {
			got, _ := run(fmt.Sprintf(`{"no":%s,"matterId":%q,"title":"a","text":"x"}`+"\n", key, id))
			assert.Equal(d, exitMisused, got.code)
			assert.Contains(d, got.err, "the key is empty")
		}
		assert.Equal(d, 2, d.sent("createMemo"))
	})
}

// TestADryRunShowsWhatWouldChange and what it saw is what the run may change.
func TestADryRunShowsWhatWouldChange(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		client, matter := d.server.Client(d.T), d.server.Firm().MatterID
		got, lines := d.runs("createFee", d.file("new.csv", d.sheet(2)), "--yes", "--expect-rows", "2", "--wait")
		require.Equal(d, exitDone, got.code, got.err)
		d.server.ResetRequests()
		list := d.file("list.csv", fmt.Sprintf("matterId,id,subject\n%s,%s,Corrected\n%s,%s,Corrected\n", matter, lines[0].ID, matter, lines[1].ID))
		got, planned := d.runs("patchFee", list, "--dry-run")
		require.Equal(d, exitDone, got.code, got.err)
		assert.Equal(d, "Advice, by phone", planned[0].Changes["subject"].There)
		assert.Equal(d, "Corrected", planned[0].Changes["subject"].Sent)
		assert.Zero(d, d.sent("patchFee"))
		_, err := client.Fees.Patch(d.Context(), matter, lines[0].ID, models.FeePatch{Description: models.Some("row x")})
		require.NoError(d, err)
		d.server.Settle()
		got, changed := d.runs("patchFee", list, "--yes", "--expect-rows", "2", "--wait")
		assert.Equal(d, exitIncomplete, got.code, got.err)
		assert.Equal(d, map[string]int{"changed": 1, "done": 1}, statuses(changed))
		assert.Equal(d, 2, d.sent("patchFee"), "of which one is that of the colleague")
		gone := d.file("gone.csv", fmt.Sprintf("matterId;id\n%s;%s\n", matter, lines[1].ID))
		for _, want := range []map[string]int{{"done": 1}, {"done before": 1}} {
			got, deleted := d.runs("deleteFee", gone, "--yes", "--expect-rows", "1", "--wait")
			assert.Equal(d, exitDone, got.code, got.err)
			assert.Equal(d, want, statuses(deleted))
		}
	})
}

// A deletion may mark a record, such as a staff member as former: --wait sees
// it, and so does a run after a lost response.
func TestADeletionThatMarksARecordIsSeen(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		firm := d.server.Firm()
		for operation, id := range map[string]string{"deleteStaff": firm.StaffIDs[len(firm.StaffIDs)-1], "deleteContact": firm.RelatedContactID} {
			d.server.Inject(practicetest.Fault{Operation: operation, Kind: practicetest.FaultResetAfter})
			list := d.file(operation+".csv", "id\n"+id+"\n")
			for _, want := range []map[string]int{{"done": 1}, {"done before": 1}} {
				got, lines := d.runs(operation, list, "--yes", "--expect-rows", "1", "--wait")
				assert.Equal(d, exitDone, got.code, "%s: %s", operation, got.err)
				assert.Equal(d, want, statuses(lines), operation)
			}
		}
	})
}

// dying is the network of a process that ends at one of its requests: after it
// nothing arrives.
type dying struct {
	http.RoundTripper
	mu   sync.Mutex
	left int // requests and responses until the end; negative: no end
	end  context.CancelFunc
}

var errDead = errors.New("the process is dead")

func (l *dying) alive() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == 0 {
		return false
	}
	if l.left--; l.left == 0 {
		l.end()
	}
	return l.left != 0
}

func (l *dying) RoundTrip(r *http.Request) (*http.Response, error) {
	if !l.alive() {
		return nil, errDead
	}
	resp, err := l.RoundTripper.RoundTrip(r)
	if err == nil && !l.alive() {
		return nil, errors.Join(errDead, resp.Body.Close())
	}
	return resp, err
}

// TestARunThatIsKilledGoesOn ends runs at any request, loses responses, refuses
// requests with 429 and 5xx, and shows records late. Every row is there once,
// and the last report says so.
func TestARunThatIsKilledGoesOn(t *testing.T) {
	t.Parallel()
	n, kills := soak.Times(100, 5000), soak.Times(6, 100)
	late := practicetest.Consistency{MaxDelay: 20 * time.Second, ListLag: 20 * time.Second}
	atDesk(t, func(d desk) {
		list := d.file("list.csv", d.sheet(n))
		args := []string{"createFee", list, "--yes", "--expect-rows", fmt.Sprint(n), "--again"}
		random := rand.New(rand.NewPCG(50, uint64(n)))
		kinds := []practicetest.Fault{
			{Kind: practicetest.FaultResetBefore}, {Kind: practicetest.FaultResetAfter}, {Kind: practicetest.FaultStatus, Status: 429}, {Kind: practicetest.FaultStatus, Status: 503},
		}
		died := 0
		for died < kills {
			fault := kinds[random.IntN(len(kinds))]
			fault.Operation, fault.Skip = "createFee", random.IntN(8)
			d.server.Inject(fault)
			ctx, end := context.WithCancel(d.Context())
			life := &dying{RoundTripper: d.server.HTTPClient().Transport, left: 2 + random.IntN(5*n/kills), end: end}
			got, _ := d.runsWith(ctx, &http.Client{Transport: life}, "", args...)
			end()
			if got.code == exitDone {
				break
			}
			died++
		}
		var lines []rowReport
		for runs := 0; ; runs++ {
			got, report := d.runs(args...)
			if lines = report; got.code == exitDone {
				break
			}
			require.Less(d, runs, 20, got.err)
		}
		want := []string{}
		for i := range n {
			want = append(want, fmt.Sprint("row ", i))
		}
		slices.Sort(want)
		assert.Equal(d, want, d.fees())
		ids := map[string]bool{}
		for _, line := range lines {
			ids[line.ID] = true
			assert.Contains(d, []string{"accepted"}, string(line.Status))
		}
		assert.Len(d, lines, n)
		assert.Len(d, ids, n)
		assert.Greater(d, died, kills/2)
		d.Logf("%d rows, %d kills, %d creates sent", n, died, d.sent("createFee"))
	}, practicetest.WithConsistency(late))
}

// TestASandboxOfOneCommandKeepsNoJournal runs a list twice, each time in a new
// firm.
func TestASandboxOfOneCommandKeepsNoJournal(t *testing.T) {
	folder := t.TempDir()
	list := filepath.Join(folder, "list.jsonl")
	require.NoError(t, os.WriteFile(list, []byte(`{"matterId":"`+worldMatter+`","title":"a","text":"x"}`), 0o600))
	for range 2 {
		got := execute(t, "", nil, "run", "createMemo", list, "--sandbox", "-o", "jsonl")
		assert.Equal(t, exitDone, got.code, got.err)
		assert.NotContains(t, got.out, "before")
	}
	assert.NoFileExists(t, list+".journal")
}

// TestTheReportOfRowsBeginsWithTheirLines prints the report as CSV.
func TestTheReportOfRowsBeginsWithTheirLines(t *testing.T) {
	row := `{"matterId":"` + worldMatter + `","title":"a","text":"x"}`
	got := execute(t, row, nil, "run", "createMemo", "--sandbox", "-o", "csv", "-q")
	require.Equal(t, exitDone, got.code, got.err)
	assert.True(t, strings.HasPrefix(got.out, "line,key,status,before,id,error\n1,,accepted,,"), got.out)
	got = execute(t, row, nil, "run", "createMemo", "--sandbox", "-o", "csv", "-q", "--dry-run")
	assert.Equal(t, "line,key,status,before,id,error,sends,changes,there\n1,,planned,,,,\"{\"\"text\"\":\"\"x\"\",\"\"title\"\":\"\"a\"\"}\",,\n", got.out, got.err)
}

// A time that depends on the day on which the list is read is another one when the
// command is repeated on the next day, and so another row.
func TestARowHasNoTimeThatDependsOnTheDay(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		for _, when := range []string{"1d", "09:30", "9:30"} {
			list := d.file("fees.csv", fmt.Sprintf("matterId,subject,feeDate,rate,duration\n%s,Advice,%s,100,6\n", d.server.Firm().MatterID, when))
			got, _ := d.runs("createFee", list)
			assert.Equal(t, exitMisused, got.code, got.out)
			assert.Contains(t, got.err, `column \"feeDate\": `+when+` depends on the time at which the list is read`)
		}
		list := d.file("notes.csv", fmt.Sprintf("matterId,title,text\n%s,1d,09:30\n", d.server.Firm().MatterID))
		got, _ := d.runs("createMemo", list)
		assert.Equal(t, exitDone, got.code, got.err)
		assert.Zero(t, d.sent("createFee"))
	})
}

// A time of JSON is read as that of CSV, also within a value, so the rows are equal.
func TestATimeOfJSONIsReadAsThatOfCSV(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		ids := strings.NewReplacer("MATTER", d.server.Firm().MatterID, "STAFF", d.server.Firm().StaffID)
		const row = `{"matterId":"MATTER","staffId":"STAFF","subject":"Call","dueDate":"2026-03-02T09:30"}`
		for n, text := range []string{"matterId,staffId,subject,dueDate\nMATTER,STAFF,Call,2026-03-02 09:30\n", row, strings.Replace(row, "02T09:30", "01T22:30:00Z", 1)} {
			got, lines := d.runs("createTask", d.file("tasks", ids.Replace(text)), "--zone", "Australia/Sydney")
			require.Equal(t, exitDone, got.code, got.err)
			assert.Equal(t, map[string]int{[]string{"accepted", "accepted before"}[min(n, 1)]: 1}, statuses(lines), text)
		}
		for text, operation := range map[string]string{strings.Replace(row, "2026-03-02T", "", 1): "createTask", `{"person":{"lastName":"A","birthDate":"1d"}}`: "createContact"} {
			got, _ := d.runs(operation, d.file("day", ids.Replace(text)))
			assert.Equal(t, exitMisused, got.code, got.out)
			assert.Contains(t, got.err, " depends on the time at which the list is read")
		}
		assert.Equal(t, 1, d.sent("createTask"))
	})
}

// A body may repeat an id of the path, which is one column.
func TestAColumnSetsAParameterAndItsMember(t *testing.T) {
	t.Parallel()
	head := execute(t, "", nil, "run", "updateContactRelation", "--skeleton").out
	assert.Equal(t, "contactId,relatedContactId,businessRole\n", head)
	atDesk(t, func(d desk) {
		firm := d.server.Firm()
		got, _ := d.runs("updateContactRelation", d.file("list.csv", head+firm.ContactID+","+firm.RelatedContactID+",Broker\n"))
		require.Equal(t, exitDone, got.code, got.err)
		requests := slices.DeleteFunc(d.server.Requests(), func(r practicetest.RecordedRequest) bool { return r.Operation != "updateContactRelation" })
		assert.JSONEq(t, `{"relatedContactId":"`+firm.RelatedContactID+`","businessRole":"Broker"}`, string(requests[0].Body))
	})
}

// A run that is repeated without its zone would have other times, and so other
// rows.
func TestAJournalBelongsToAZone(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		list := d.file("tasks.csv", fmt.Sprintf("matterId,staffId,subject,dueDate\n%s,%s,Call,2026-03-02T09:30\n", d.server.Firm().MatterID, d.server.Firm().StaffID))
		got, _ := d.runs("createTask", list, "--zone", "Australia/Sydney")
		require.Equal(t, exitDone, got.code, got.err)
		got, _ = d.runs("createTask", list)
		assert.Equal(t, exitMisused, got.code, got.out)
		assert.Contains(t, got.err, "zone Australia/Sydney")
		got, lines := d.runs("createTask", list, "--zone", "Australia/Sydney")
		assert.Equal(t, exitDone, got.code, got.err)
		assert.Equal(t, map[string]int{"accepted before": 1}, statuses(lines))
		assert.Equal(t, 1, d.sent("createTask"))
	})
}

// A column that a flag names and the list lacks is misspelt: what should stay here
// would be sent.
func TestColumnsOfFlagsAreInTheList(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		list := d.file("fees.csv", d.sheet(1))
		for _, row := range []struct {
			flags []string
			says  string
		}{
			{[]string{"--ignore", "Descr"}, `--ignore: the list has no column \"Descr\"`},
			{[]string{"--map", "Rate (AUD)=rate"}, `--map: the list has no column \"Rate (AUD)\"`},
			{[]string{"--map", "rate=rate", "--map", "rate=tax"}, `--map: the column \"rate\" is named more than once`},
			{[]string{"--map", "rate=rate", "--ignore", "rate"}, `--ignore: the column \"rate\" is named more than once`},
		} {
			got, _ := d.runs(append([]string{"createFee", list}, row.flags...)...)
			assert.Equal(t, exitMisused, got.code, got.out)
			assert.Contains(t, got.err, row.says)
		}
		assert.Zero(t, d.sent("createFee"))
	})
}

// Rows run beside each other, so of two changes of one record any could be the last,
// also under two keys.
func TestARecordHasOneRowAlsoWithKeys(t *testing.T) {
	t.Parallel()
	atDesk(t, func(d desk) {
		firm := d.server.Firm()
		list := d.file("fees.csv", fmt.Sprintf("key,matterId,id,rate\n1,%[1]s,%[2]s,10\n2,%[1]s,%[2]s,20\n", firm.MatterID, firm.FeeID))
		got, _ := d.runs("patchFee", list, "--key", "key", "--yes", "--expect-rows", "2")
		assert.Equal(t, exitMisused, got.code, got.out)
		assert.Contains(t, got.err, "lines 2, 3 are for the same record")
		assert.Zero(t, d.sent("patchFee"))
	})
}
