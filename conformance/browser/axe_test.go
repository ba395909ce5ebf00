package browser_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// accessible returns the source of axe-core, which npm ci installs for the
// TypeScript client. It fails without it where the checks run.
func accessible(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("../typescript/node_modules/axe-core/axe.min.js")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("axe-core is not installed: npm ci in conformance/typescript")
	}
	require.NoError(t, err)
	return string(source)
}

// everySectionIsAccessible runs axe-core on each section with content, in
// narrow and wide windows, light and dark.
func everySectionIsAccessible(t *testing.T, program string) {
	t.Parallel()
	axe := accessible(t)
	s := startSandbox(t, program, "-unpublished", "warn")
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	s.call("POST", s.told["BASE_URL"]+"/webhooks", `{"name":"looked at","eventNotificationUrl":"`+receiver.URL+`","eventTypes":["staff.updated"]}`, 200)
	s.call("GET", s.told["BASE_URL"]+"/staf/1", "", 404)
	s.call("GET", s.told["BASE_URL"]+"/matters?Status=Opne", "", 200)
	s.call("DELETE", s.told["BASE_URL"]+"/staff/"+s.told["STAFF_ID"], "", 202)
	s.command("POST", "/faults", `{"operation":"getStaff","times":2}`, 204)
	b := s.open()
	b.wants("#deliveries-count", "1")
	_, err := chromedp.Run(b, chromedp.Evaluate[string](axe+"\n'loaded'"))
	require.NoError(t, err)
	for _, width := range []int64{320, 1200} {
		for _, scheme := range []string{"light", "dark"} {
			b.run(chromedp.EmulateViewport(width, 900))
			_, err = chromedp.Call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			require.NoError(t, err)
			for _, name := range []string{"overview", "records", "requests", "violations", "deliveries", "faults"} {
				where := name + " " + scheme + " " + strconv.FormatInt(width, 10)
				b.section(name)
				assert.True(t, b.until(`document.querySelector('nav a.here').hash === '#`+name+`'`), where)
				found := b.value(`axe.run().then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')).join('; '))`)
				assert.Empty(t, found, where)
				assert.Equal(t, strconv.FormatInt(width, 10), b.value("document.documentElement.scrollWidth"), where)
			}
		}
	}
}
