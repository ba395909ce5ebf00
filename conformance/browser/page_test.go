package browser_test

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestThePage builds the sandbox once and tests its page.
func TestThePage(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "practice-sandbox")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", program, "../../cmd/practice-sandbox").CombinedOutput()
	require.NoError(t, err, string(built))
	for name, look := range map[string]func(*testing.T, string){
		"the page shows what is requested":     thePageShowsWhatIsRequested,
		"deliveries and their lag are shown":   deliveriesAndTheirLagAreShown,
		"the firm is looked at":                theFirmIsLookedAt,
		"faults and the clock are set by hand": faultsAndTheClockAreSetByHand,
		"a record never becomes markup":        aRecordNeverBecomesMarkup,
		"the page asks for the key":            thePageAsksForTheKey,
		"another site reaches nothing":         anotherSiteReachesNothing,
		"the keyboard keeps its place":         theKeyboardKeepsItsPlace,
		"a narrow window shows all":            aNarrowWindowShowsAll,
		"every section is accessible":          everySectionIsAccessible,
		"the page shows why":                   thePageShowsWhy,
		"records are searched and copied":      recordsAreSearchedAndCopied,
		"a preset is unkind":                   aPresetIsUnkind,
		"records and answers are made by hand": recordsAndAnswersAreMadeByHand,
	} {
		t.Run(name, func(t *testing.T) { look(t, program) })
	}
}

// open opens the page at the printed URL.
func (s *sandbox) open() *browser {
	s.t.Helper()
	b := openBrowser(s.t)
	b.visit(s.told["SANDBOX_PAGE"])
	b.wants("#addresses", s.told["BASE_URL"])
	return b
}

func (b *browser) section(name string) {
	b.t.Helper()
	b.click(`nav a[href="#` + name + `"]`)
}

// unfold shows the records of the firm of one kind.
func (b *browser) unfold(kind string) {
	b.t.Helper()
	b.value(`[...document.querySelectorAll('#firm summary')].find((one) => one.textContent.startsWith('` + kind + ` (')).parentElement.open = true`)
}

func thePageShowsWhatIsRequested(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := s.open()
	assert.Equal(t, s.told["BASE_URL"][:strings.LastIndex(s.told["BASE_URL"], "/practice/")]+"/", b.value("location.href"), "the key has left the address")
	b.wants("#firm", s.told["MATTER_ID"])
	b.wants("#chart-requests", "No requests yet.")

	s.call("GET", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 200)
	s.call("GET", s.told["BASE_URL"]+"/staf/1", "", 404)
	b.wants("#requests-count", "2")
	b.wants("#violations-count", "1")
	b.wants("#chart-requests", "2 requests")
	assert.Equal(t, "1 1", b.value(`['good', 'warn'].map((one) => document.querySelectorAll('#chart-requests rect.fill-' + one + '[height]:not([height="9"])').length).join(' ')`))
	b.section("requests")
	b.wants("#request-list", "getStaff")
	b.click("#request-list tbody tr:nth-child(2)")
	b.wants("#request", "User-Agent: Go-http-client")
	b.section("violations")
	b.wants("#violation-list", "/staf/1")
	b.click("#excuse")
	b.wants("#violations-count", "0")
	assert.Empty(t, b.heard())
}

func deliveriesAndTheirLagAreShown(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	b := s.open()
	s.call("POST", s.told["BASE_URL"]+"/webhooks", `{"name":"looked at","eventNotificationUrl":"`+receiver.URL+`","eventTypes":["staff.updated"]}`, 200)
	s.call("DELETE", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 202)
	b.wants("#deliveries-count", "1")
	b.wants("#chart-deliveries", "1 deliveries")
	b.wants("#chart-lag", "the longest took ")
	assert.Regexp(t, `the longest took (\d{3,4} ms|\d+ s)$`, b.value(`document.querySelector('#chart-lag').textContent`), "a tenth of a second at least")
	assert.Equal(t, "1", b.value(`document.querySelectorAll('#chart-lag circle.fill-event').length`))
	b.section("deliveries")
	b.click("#delivery-list tbody tr")
	b.wants("#delivery", `"type": "staff.updated"`)
	assert.Empty(t, b.heard())
}

func theFirmIsLookedAt(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := s.open()
	b.section("records")
	b.press("/matters")
	b.wants("#shown", "10 of 10") // leads are matters too
	b.click("#list tbody tr")
	b.wants("#record", `"id": "`+s.told["MATTER_ID"]+`"`)
	b.press("fees")
	b.wants("#list", s.told["FEE_ID"])
	b.enter("#path", "/events")
	b.click("#go button")
	b.wants("#shown", "100 of 300")
	b.click("#more")
	b.wants("#shown", "200 of 300")
	b.enter("#path", "/staff/nobody")
	b.click("#go button")
	b.wants("#told", "The staff member does not exist.")
	b.enter("#path", "/firm/")
	b.click("#go button")
	b.wants("#record", `"name"`)
	assert.Equal(t, "0", s.countOf("/requests"), "looking is no request to the service")
}

// countOf counts the records that a command returns.
func (s *sandbox) countOf(path string) string {
	s.t.Helper()
	if answer := s.command("GET", path, "", 200); answer != `{"value":[]}` {
		return answer
	}
	return "0"
}

func faultsAndTheClockAreSetByHand(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := s.open()
	b.section("faults")
	b.enter(`#fault [name="operation"]`, "getStaff")
	b.enter(`#fault [name="kind"]`, "rate-limit")
	b.enter(`#fault [name="times"]`, "2")
	b.click("#fault button")
	b.wants("#fault-list", "rate-limit")
	assert.Contains(t, s.command("GET", "/faults", "", 200), `"operation":"getStaff"`)
	s.call("GET", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 429)
	b.click("#clear")
	b.wants("#faults-count", "0")
	s.call("GET", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 200)

	b.enter(`#fault [name="operation"]`, "getStaf")
	b.click("#fault button")
	b.wants("#told", `getStaf`)
	b.enter(`#failure [name="operation"]`, "patchFee")
	b.click("#failure button")
	b.wants("#told", "")

	day := s.command("GET", "/clock", "", 200)[len(`{"now":"`):][:10]
	b.click(`[data-advance="86400000"]`)
	assert.True(t, b.until(`!document.getElementById('clock').textContent.startsWith("`+day+`")`))
	b.click("#settle")
	b.click("#expire")
	b.wants("#told", "")
	s.call("GET", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 401)
}

// aRecordNeverBecomesMarkup displays records whose names are markup.
func aRecordNeverBecomesMarkup(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program, "-strict=false")
	b := s.open()
	for _, hostile := range []string{`<img src=x onerror=document.title='broken'>`, `</td><script>document.title='broken'</script>`, `"><svg onload=document.title='broken'>`} {
		quoted := strings.ReplaceAll(hostile, `"`, `\"`)
		s.command("POST", "/records", `{"path":"/activitycodes","record":{"code":"ADV","description":"`+quoted+`"}}`, 201)
		s.call("GET", s.told["BASE_URL"]+"/activitycodes/%3Cimg%20src=x%3E", "", 404)
		b.section("records")
		b.enter("#path", "/activitycodes")
		b.click("#go button")
		b.wants("#list", hostile)
		b.click("#list tbody tr:last-child")
		b.wants("#record", quoted)
	}
	b.section("requests")
	b.wants("#request-list", "%3Cimg")
	assert.Equal(t, "practice-sandbox 0", b.value(`document.title + ' ' + document.querySelectorAll('main img, main script, main svg[onload]').length`))
	made := b.value(`(() => { try { document.getElementById('told').innerHTML = '<b>markup</b>'; return 'made' } catch { return 'refused' } })()`)
	assert.Equal(t, "refused", made, "no script can make elements of a text, ours by mistake neither")
}

func thePageAsksForTheKey(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := openBrowser(t)
	page, _, _ := strings.Cut(s.told["SANDBOX_PAGE"], "#")
	b.visit(page)
	b.wants("#sign-in", "PRACTICE_API_KEY")
	assert.Equal(t, "false", b.value("document.getElementById('inside').checkVisibility()"))
	b.enter("#key", "wrong")
	b.click("#sign-in button")
	b.wants("#told", "wrong")
	b.enter("#key", s.told["API_KEY"])
	b.click("#sign-in button")
	b.wants("#addresses", s.told["BASE_URL"])
}

// anotherSiteReachesNothing visits a page of another origin that tries to use
// the sandbox: in a frame, by a form, and by requests with and without the key.
func anotherSiteReachesNothing(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	s.open() // the page is open in a browser at the same time
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(strings.NewReplacer("SANDBOX", s.told["SANDBOX_URL"], "PAGE", s.told["SANDBOX_PAGE"], "KEY", s.told["API_KEY"]).Replace(`
<iframe name="frame" src="PAGE"></iframe><iframe name="answer"></iframe>
<form id="form" method="post" action="SANDBOX/faults" enctype="text/plain" target="answer"><input name='{"status":500,"body":"' value='"}'></form>
<script>
const tried = [
  fetch('SANDBOX/faults', { method: 'POST', body: '{"status":500}' }),
  fetch('SANDBOX/faults', { method: 'POST', body: '{"status":500}', headers: { 'x-api-key': 'KEY', 'Content-Type': 'application/json' } }),
  fetch('SANDBOX/faults', { method: 'POST', body: '{"status":500}', mode: 'no-cors' }),
  fetch('SANDBOX/seed'),
].map((one) => one.then(() => 'answered', () => 'refused'))
Promise.all(tried).then((all) => { document.getElementById('form').submit(); setTimeout(() => { document.title = all.join(' ') }, 500) })
</script>`)))
	}))
	t.Cleanup(other.Close)
	b := openBrowser(t)
	b.visit(other.URL)
	assert.True(t, b.until(`document.title !== ''`))
	assert.Equal(t, "refused refused answered refused", b.value("document.title"), "an opaque answer of no-cors says nothing")
	assert.Equal(t, "0", s.countOf("/faults"))
	assert.Contains(t, strings.Join(b.heard(), "\n"), "frame-ancestors", "it is in no frame")
}

// theKeyboardKeepsItsPlace keeps the focus on a row of a list while further
// rows are added.
func theKeyboardKeepsItsPlace(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := s.open()
	for range 2 {
		s.call("GET", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 200)
	}
	b.section("requests")
	b.wants("#requests-count", "2")
	b.value(`document.querySelector('#request-list tbody tr:nth-child(2) button').focus()`)
	for range 2 {
		s.call("GET", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 200)
	}
	b.wants("#requests-count", "4")
	assert.Equal(t, "4", b.value(`[...document.querySelectorAll('#request-list button')].indexOf(document.activeElement) + 1`), "it is the oldest still")
	b.run(chromedp.KeyEvent("\r"))
	b.wants("#request", "GET /practice/v1/staff/")
	assert.Empty(t, b.heard())
}

// aNarrowWindowShowsAll checks that nothing extends beyond the right edge,
// however long a text is.
func aNarrowWindowShowsAll(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program, "-strict=false")
	long := strings.Repeat("W", 3000)
	s.command("POST", "/records", `{"path":"/activitycodes","record":{"code":"ADV","description":"`+long+`"}}`, 201)
	s.call("GET", s.told["BASE_URL"]+"/activitycodes/"+long, "", 404)
	b := s.open()
	b.run(chromedp.EmulateViewport(320, 700))
	for _, name := range []string{"overview", "records", "requests", "violations", "deliveries", "faults"} {
		b.section(name)
		if name == "records" {
			b.wants("#places", "/matters")
			b.enter("#path", "/activitycodes")
			b.click("#go button")
			b.wants("#list", long[:100])
		}
		assert.Equal(t, "320", b.value("document.documentElement.scrollWidth"), name)
	}
}

// thePageShowsWhy finds the reason of a refusal, by search and from its
// violation, and the deliveries of one subscription.
func thePageShowsWhy(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	for _, name := range []string{"first", "second"} {
		s.call("POST", s.told["BASE_URL"]+"/webhooks", `{"name":"`+name+`","eventNotificationUrl":"`+receiver.URL+`","eventTypes":["matter.updated"]}`, 200)
	}
	s.call("GET", s.told["BASE_URL"]+"/bankaccounts", "", 200)
	s.call("POST", s.told["BASE_URL"]+"/matters/"+s.told["MATTER_ID"]+"/documents/folders", `{"name":""}`, 400)
	b := s.open()
	b.section("requests")
	b.wants("#request-list", "name: must have at least 1 character")
	b.value(`(() => { const f = document.querySelector('#request-filter'); f.elements.text.value = 'createfolder'; f.elements.text.dispatchEvent(new Event('input', { bubbles: true })) })()`)
	assert.True(t, b.until(`document.querySelectorAll('#request-list tbody tr').length === 1`))
	b.section("violations")
	b.click("#violation-list li button")
	b.wants("#request", "not allowed: the body is not valid")
	b.wants("#request", `"title": "Validation failed"`)

	b.section("deliveries")
	b.enter(`#emit [name="type"]`, "matter.updated")
	b.click("#emit button")
	b.wants("#deliveries-count", "2")
	b.click("#subscription-list tbody tr:nth-child(1)")
	assert.True(t, b.until(`document.querySelectorAll('#delivery-list tbody tr').length === 1`))
	b.section("overview")
	b.unfold("matters")
	b.press(s.told["MATTER_ID"])
	b.wants("#record", `"id": "`+s.told["MATTER_ID"]+`"`)
	b.section("faults")
	b.press("Fail the next")
	b.wants("#faults-count", "1")
	s.call("GET", s.told["BASE_URL"]+"/bankaccounts", "", 500)
	assert.Empty(t, b.heard())
}

// recordsAreSearchedAndCopied searches a record beyond the first hundred, and
// copies it, its id and its request with the keyboard.
func recordsAreSearchedAndCopied(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	s.command("POST", "/records", `{"path":"/activitycodes","record":{"code":"ADV","description":"the last of all"}}`, 201)
	b := s.open()
	b.value(`(() => { window.copied = []; navigator.clipboard.writeText = async (text) => { copied.push(text) } })()`)
	b.section("records")
	b.enter("#path", "/events")
	b.click("#go button")
	b.wants("#shown", "100 of 300")
	b.value(`(() => { const f = document.querySelector('#within'); f.value = '` + s.told["EVENT_ID"] + `'; f.dispatchEvent(new Event('input', { bubbles: true })) })()`)
	b.wants("#shown", "1 found in 300 of 300")
	b.click("#list tbody tr")
	b.wants("#record", s.told["EVENT_ID"])
	b.value(`document.querySelector('[data-copy=record]').focus()`)
	b.run(chromedp.KeyEvent("\r"))
	b.section("overview")
	b.unfold("matters")
	b.click(`#firm [aria-label="Copy ` + s.told["MATTER_ID"] + `"]`)
	assert.True(t, b.until(`copied.length === 2 && copied[0].includes('"id"') && copied[1] === '`+s.told["MATTER_ID"]+`'`))
}

// recordsAndAnswersAreMadeByHand adds a record to a list, and responds to
// requests in place of the service.
func recordsAndAnswersAreMadeByHand(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := s.open()
	b.value(`(() => { window.sent = []; const send = fetch; window.fetch = async (path, how) => { const answer = await send(path, how); if (path.endsWith('/stubs')) sent.push(answer.status); return answer } })()`)
	b.section("records")
	b.enter("#path", "/activitycodes")
	b.click("#go button")
	b.enter(`#add [name="record"]`, `{"code":"ADV","description":"Advice"}`)
	b.click("#add button")
	b.wants("#record", `"code": "ADV"`)
	b.section("faults")
	b.enter(`#stub [name="pattern"]`, "GET /bankaccounts")
	b.enter(`#stub [name="status"]`, "418")
	b.click("#stub button")
	assert.True(t, b.until(`sent.join() === '204'`))
	s.call("GET", s.told["BASE_URL"]+"/bankaccounts", "", 418)
	b.click("#clear-stubs")
	assert.True(t, b.until(`sent.join() === '204,204'`))
	s.call("GET", s.told["BASE_URL"]+"/bankaccounts", "", 200)
	assert.Empty(t, b.heard())
}

// aPresetIsUnkind sets the delays that make lists stale, and resets them.
func aPresetIsUnkind(t *testing.T, program string) {
	t.Parallel()
	s := startSandbox(t, program)
	b := s.open()
	b.value(`(() => { window.sent = []; const send = fetch; window.fetch = async (path, how) => { const answer = await send(path, how); if (how?.method === 'PUT') sent.push(answer.status + how.body); return answer } })()`)
	b.section("faults")
	b.press("Unkind")
	assert.True(t, b.until(`sent.length === 1 && sent[0].startsWith('204') && sent[0].includes('"listLagMilliseconds":3000')`))
	b.press("Kind")
	assert.True(t, b.until(`sent[1] === '204{}'`))
	assert.Empty(t, b.heard())
}
