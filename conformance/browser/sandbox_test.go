package browser_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// patience limits the wait for content that the page shows within a second on
// an idle machine.
const patience = 2 * time.Minute

// sandbox is a running sandbox with its output.
type sandbox struct {
	t    *testing.T
	told map[string]string // values of the printed variables
}

// startSandbox runs the program until the test ends.
func startSandbox(t *testing.T, program string, args ...string) *sandbox {
	t.Helper()
	process := exec.CommandContext(t.Context(), program, args...)
	process.Cancel = func() error { return process.Process.Signal(os.Interrupt) }
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Wait() }) // it was interrupted
	s := &sandbox{t, map[string]string{}}
	assignment := regexp.MustCompile(`^export PRACTICE_([A-Z_]+)='([^']+)'$`)
	for lines := bufio.NewScanner(out); lines.Scan() && !strings.HasPrefix(lines.Text(), "#"); {
		parts := assignment.FindStringSubmatch(lines.Text())
		require.NotNil(t, parts, lines.Text())
		s.told[parts[1]] = parts[2]
	}
	return s
}

// call sends a request with the credentials of the sandbox, and checks its
// status.
func (s *sandbox) call(method, address, body string, status int) string {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(body))
	require.NoError(s.t, err)
	request.Header.Set("X-Api-Key", s.told["API_KEY"])
	request.Header.Set("Authorization", "Bearer "+s.told["ACCESS_TOKEN"])
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("RequestId", uuid.NewString())
	response, err := http.DefaultClient.Do(request)
	require.NoError(s.t, err)
	answer, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	require.NoError(s.t, response.Body.Close())
	require.Equal(s.t, status, response.StatusCode, "%s %s: %s", method, address, answer)
	return string(answer)
}

func (s *sandbox) command(method, path, body string, status int) string {
	s.t.Helper()
	return s.call(method, s.told["SANDBOX_URL"]+path, body, status)
}

// browser is a tab of a browser, with the output of its console.
type browser struct {
	context.Context
	t  *testing.T
	mu sync.Mutex
	// complaints holds the errors of the browser and of scripts.
	complaints []string
}

// findBrowser skips the test without a browser, but fails where the checks run.
func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if program, err := exec.LookPath(name); err == nil {
			return program
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("no browser is installed, and the checks must not go without one")
	}
	t.Skip("no browser is installed: apt-get install chromium")
	return ""
}

func openBrowser(t *testing.T) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(findBrowser(t)), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1200, 1000), chromedp.WSURLReadTimeout(patience))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(end)
	b := &browser{Context: ctx, t: t}
	require.NoError(t, chromedp.Listen(ctx, b.hear))
	_, err := chromedp.Call(ctx, log.Enable, cdp.Empty{})
	require.NoError(t, err)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // before the directory of its profile is removed
	return b
}

func (b *browser) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, event.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		if event.Entry.Level == log.EntryLevelError {
			b.complaints = append(b.complaints, event.Entry.Text)
		}
	}
}

// heard returns the complaints so far.
func (b *browser) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.complaints
}

func (b *browser) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b, patience)
	defer stop()
	require.NoError(b.t, chromedp.Do(ctx, steps...), "%v", b.heard())
}

func (b *browser) visit(address string) {
	b.t.Helper()
	b.run(chromedp.Navigate(address))
}

func (b *browser) click(selector string) {
	b.t.Helper()
	b.hit("document.querySelector(" + strconv.Quote(selector) + ")")
}

// press clicks the visible button with a text.
func (b *browser) press(text string) {
	b.t.Helper()
	b.hit("[...document.querySelectorAll('button')].find((one) => one.checkVisibility() && one.textContent === " + strconv.Quote(text) + ")")
}

// hit clicks an element once nothing covers it. It finds and clicks it in one
// turn of the page: a press of the mouse at a place that was read before misses
// an element that has moved since.
func (b *browser) hit(element string) {
	b.t.Helper()
	require.True(b.t, b.until(`((element) => {
		element?.scrollIntoView({ block: 'center', behavior: 'instant' })
		const box = element?.getClientRects()[0]
		if (!box || !element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))) return false
		element.click()
		return true
	})(`+element+`)`), "%s cannot be clicked: %v", element, b.heard())
}

func (b *browser) enter(selector, text string) {
	b.t.Helper()
	b.run(chromedp.SetValue(chromedp.CSS(selector), text))
}

// value returns the result of a script in the page as text. It awaits a
// promise.
func (b *browser) value(script string) string {
	b.t.Helper()
	found, err := chromedp.Run(b, chromedp.Evaluate[string]("Promise.resolve("+script+").then(String)", chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, script)
	return found
}

// until waits until a script returns true in the page.
func (b *browser) until(script string) bool {
	b.t.Helper()
	return b.value(`new Promise((found) => {
		const end = Date.now() + `+strconv.FormatInt(patience.Milliseconds(), 10)+`
		const look = () => (`+script+`) ? found(true) : Date.now() > end ? found(false) : setTimeout(look, 20)
		look()
	})`) == "true"
}

// wants waits until an element shows a text.
func (b *browser) wants(selector, text string) {
	b.t.Helper()
	element := "document.querySelector(" + strconv.Quote(selector) + ")"
	if !b.until(element + "?.checkVisibility() && " + element + ".textContent.includes(" + strconv.Quote(text) + ")") {
		b.t.Fatalf("%s does not show %q but %q; %v", selector, text, b.value(element+"?.textContent"), b.heard())
	}
}
