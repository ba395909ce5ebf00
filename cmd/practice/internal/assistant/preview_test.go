package assistant

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestEverySmallHistoryOfPreviews tries all sequences of five steps, or six, with two
// previews against an oracle: a preview can be taken once, before ten minutes
// have passed.
func TestEverySmallHistoryOfPreviews(t *testing.T) {
	t.Parallel()
	steps := []string{"add 0", "add 1", "take 0", "take 1", "look 0", "wait"}
	length := soak.Times(5, 6)
	total := 1
	for range length {
		total *= len(steps)
	}
	for history := range total {
		now := time.Unix(0, 0)
		p := previews{now: func() time.Time { return now }}
		var held [2]*preview
		var until [2]time.Time
		for rest, n := history, 0; n < length; rest, n = rest/len(steps), n+1 {
			verb, which, _ := strings.Cut(steps[rest%len(steps)], " ")
			i := len(which) * int(strings.TrimLeft(which+"0", " ")[0]-'0')
			open := held[i] != nil && now.Before(until[i])
			switch verb {
			case "wait":
				now = now.Add(4 * time.Minute)
			case "add":
				held[i], until[i] = &preview{}, now.Add(10*time.Minute)
				require.NoError(t, p.add(held[i]))
			case "look":
				if held[i] != nil {
					_, err := p.look(held[i].handle)
					require.Equal(t, open, err == nil, history)
				}
			case "take":
				if held[i] != nil {
					require.Equal(t, open, p.take(held[i]) == nil, history)
					until[i] = now
				}
			}
		}
	}
}

func TestTooManyPreviewsAreRefused(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	p := previews{now: func() time.Time { return now }}
	for range maxPreviews {
		require.NoError(t, p.add(&preview{}))
	}
	require.Error(t, p.add(&preview{}))
	now = now.Add(previewLifetime)
	require.NoError(t, p.add(&preview{}))
	assert.Len(t, p.open, 1)
}

func TestAPreviewIsRefusedThatIsUsedForeignOrChanged(t *testing.T) {
	t.Parallel()
	d := open(t, setting{allow: []string{"createMemo", "patchFee"}})
	other := open(t, setting{allow: []string{"createMemo"}})
	f := d.Firm()
	memoOf := map[string]any{"matterId": f.MatterID}
	feeOf := map[string]any{"matterId": f.MatterID, "id": f.FeeID}

	used := d.preview(t, "createMemo", memoOf, memo("x"))
	_, failed := d.use(t, "write", map[string]any{"preview": used})
	require.False(t, failed)
	changed := d.preview(t, "patchFee", feeOf, `{"description":"mine"}`)
	_, err := d.Client(t).Fees.Patch(t.Context(), f.MatterID, f.FeeID, models.FeePatch{Description: models.Some("that of a colleague")})
	require.NoError(t, err)
	d.Settle()
	d.ResetRequests()
	for name, handle := range map[string]string{
		"used": used, "changed": changed, "foreign": other.preview(t, "createMemo", memoOf, memo("x")), "guessed": strings.Repeat("A", 26), "empty": "",
	} {
		text, failed := d.use(t, "write", map[string]any{"preview": handle})
		assert.True(t, failed, name+text)
	}
	assert.Empty(t, d.writes())

	text, failed := d.use(t, "write", map[string]any{"preview": d.preview(t, "patchFee", feeOf, `{"description":"385.50 mine"}`)})
	assert.False(t, failed, text)
	assert.Equal(t, []string{"patchFee"}, d.writes())
}

// TestAPreviewShowsWhatIsThereAndWhatIsSent checks the text for the person.
func TestAPreviewShowsWhatIsThereAndWhatIsSent(t *testing.T) {
	t.Parallel()
	d := open(t, setting{allow: []string{"updateMemo", "createFee"}})
	f := d.Firm()
	text, failed := d.use(t, "preview_write", map[string]any{
		"operation": "updateMemo", "arguments": map[string]any{"matterId": f.MatterID, "id": f.MemoID}, "body": map[string]any{"title": "New", "text": "new text"},
	})
	require.False(t, failed, text)
	for _, part := range []string{"updateMemo in the firm ", `"title": "New"`, "Members that the body omits are cleared.", "current state:", `"plainText"`} {
		assert.Contains(t, text, part)
	}
	for body, says := range map[string]string{
		`{"rate":1}`:         "feeDate",
		`{"rrate":1}`:        "rrate",
		`{"subject":["no"]}`: "subject",
	} {
		text, failed = d.use(t, "preview_write", map[string]any{"operation": "createFee", "arguments": map[string]any{"matterId": f.MatterID}, "body": rawJSON(body)})
		assert.True(t, failed, text)
		assert.Contains(t, text, says)
	}
	assert.Empty(t, d.writes())
}

// TestAPreviewShowsAllOfTheRequest refuses a request whose end a person would not
// see, and escapes what would change how the person sees it.
func TestAPreviewShowsAllOfTheRequest(t *testing.T) {
	t.Parallel()
	d := open(t, setting{allow: []string{"createMemo"}, answer: "accept"})
	given := func(text string) map[string]any {
		return map[string]any{"operation": "createMemo", "arguments": map[string]any{"matterId": d.Firm().MatterID}, "body": rawJSON(memo(text))}
	}
	text, failed := d.use(t, "preview_write", given(strings.Repeat("long ", maxText/5)+" the end"))
	assert.True(t, failed, text)
	assert.Contains(t, text, "too long for a preview")
	text, failed = d.use(t, "preview_write", given("pay \u202e385\u202c \u2066x\u2069 \u05d0 \u200b\U000e0041 \u0646\u200c\u0646"))
	require.False(t, failed, text)
	_, failed = d.use(t, "write", map[string]any{"preview": handles.FindStringSubmatch(text)[1]})
	require.False(t, failed)
	require.Len(t, d.asked, 1)
	for _, shown := range []string{text, d.asked[0]} {
		assert.Contains(t, shown, `pay \u202e385\u202c \u2066x\u2069 `+"\u05d0"+` \u200b\ue0041 `+"\u0646\u200c\u0646")
	}
}

// TestTheIDOfARecordIsToldIfTheJournalFails destroys the journal while a record is
// created.
func TestTheIDOfARecordIsToldIfTheJournalFails(t *testing.T) {
	t.Parallel()
	journal := ""
	d := open(t, setting{allow: []string{"createMemo"}, options: func(o *Options) { journal = o.Journal }, middleware: func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if r.Method == http.MethodPost {
				assert.NoError(t, os.Truncate(journal, 0))
			}
			return response, err
		})
	}})
	text, failed := d.use(t, "write", map[string]any{"preview": d.preview(t, "createMemo", map[string]any{"matterId": d.Firm().MatterID}, memo("x"))})
	assert.False(t, failed, text)
	assert.Regexp(t, `The record is [0-9a-f-]{36}\. Do not repeat it\. The journal could not store the id: `, text)
}

// Creates of a process wait for each other. While another process has the journal,
// a create fails before its preview is used.
func TestCreatesHaveTheJournalInTurn(t *testing.T) {
	t.Parallel()
	var journal *once.File
	d := open(t, setting{allow: []string{"createMemo"}, options: func(o *Options) {
		var err error
		journal, err = once.Open(o.Journal)
		require.NoError(t, err)
	}})
	matter := map[string]any{"matterId": d.Firm().MatterID}
	first := d.preview(t, "createMemo", matter, memo("a"))
	text, failed := d.use(t, "write", map[string]any{"preview": first})
	assert.True(t, failed)
	assert.Contains(t, text, "nothing was sent, and the preview is still valid: ")
	require.NoError(t, journal.Close())
	var writes sync.WaitGroup
	for _, handle := range []string{first, d.preview(t, "createMemo", matter, memo("b")), d.preview(t, "createMemo", matter, memo("c"))} {
		writes.Go(func() {
			text, failed := d.use(t, "write", map[string]any{"preview": handle})
			assert.False(t, failed, text)
		})
	}
	writes.Wait()
}

func TestAnAmountKeepsItsDigits(t *testing.T) {
	t.Parallel()
	d := open(t, setting{allow: []string{"createFee"}})
	const body = `{"subject":"Advice","feeDate":"2026-03-01","rate":12345678901234567.89,"staffId":"x"}`
	text, failed := d.use(t, "preview_write", map[string]any{"operation": "createFee", "arguments": map[string]any{"matterId": d.Firm().MatterID}, "body": rawJSON(body)})
	require.False(t, failed, text)
	assert.Contains(t, text, "12345678901234567.89")
}

// TestALostResponseCreatesNothingTwice loses the response of a create, and lets
// the assistant try again with an equal preview.
func TestALostResponseCreatesNothingTwice(t *testing.T) {
	t.Parallel()
	for _, visible := range []time.Duration{0, 40 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			d := open(t, setting{allow: []string{"createMemo", "createFolder"}, server: []practicetest.Option{practicetest.WithWriteDelay(visible)}})
			matter := map[string]any{"matterId": d.Firm().MatterID}
			for id, body := range map[string]string{"createMemo": memo("only once"), "createFolder": `{"name":"only once"}`} {
				d.ResetRequests()
				d.Inject(practicetest.Fault{Operation: id, Kind: practicetest.FaultResetAfter})
				text, failed := d.use(t, "write", map[string]any{"preview": d.preview(t, id, matter, body)})
				found := id == "createMemo" && visible == 0
				assert.Equal(t, found, !failed, text)
				<-time.After(time.Minute)
				text, failed = d.use(t, "write", map[string]any{"preview": d.preview(t, id, matter, body)})
				if !found {
					assert.Equal(t, id == "createFolder", failed, text)
					count := 0
					for _, r := range d.Requests() {
						if r.Operation == id {
							count++
						}
					}
					assert.Equal(t, 1, count, "an equal create is not repeated while the outcome of the first one is unknown")
				}
			}
			d.ResetRequests()
			for range 2 {
				_, failed := d.use(t, "write", map[string]any{"preview": d.preview(t, "createMemo", matter, memo("twice, because it was wanted twice"))})
				assert.False(t, failed)
			}
			sent := slices.DeleteFunc(d.Requests(), func(r practicetest.RecordedRequest) bool { return r.Method != http.MethodPost })
			assert.Len(t, sent, 2, "two previews that succeed are two records")
		})
	}
}
