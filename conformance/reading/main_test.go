package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wire passes each response of the API to a function, which may change it.
type wire struct {
	next http.RoundTripper
	see  func(body []byte) []byte
}

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(r)
	if err != nil || !strings.Contains(response.Header.Get("Content-Type"), "json") {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	body = w.see(body)
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Del("Content-Length")
	return response, nil
}

// read runs over a service whose responses a function sees, and returns the run
// and its output.
func read(t *testing.T, see func([]byte) []byte, options ...practicetest.Option) (*reading, string, *practicetest.Server) {
	t.Helper()
	server := practicetest.New(t, options...)
	client := server.Client(t, practice.WithHTTPClient(&http.Client{Transport: wire{server.HTTPClient().Transport, see}}))
	shapes, err := loadShapes()
	require.NoError(t, err)
	r := &reading{client: client, shapes: shapes, ids: map[string]string{}}
	r.all(t.Context())
	var out bytes.Buffer
	require.NoError(t, r.print(&out))
	for text := range strings.Lines(out.String()) {
		assert.LessOrEqual(t, utf8.RuneCountInString(text), 160, text)
	}
	return r, out.String(), server
}

// values collects the strings and numbers in a response.
func values(value any, add func(string)) {
	switch value := value.(type) {
	case map[string]any:
		for _, inside := range value {
			values(inside, add)
		}
	case []any:
		for _, inside := range value {
			values(inside, add)
		}
	case string:
		add(value)
	case json.Number:
		add(value.String())
	}
}

func TestTheEmbeddedServiceIsAsDescribedAndOnlyReadFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, out, server := read(t, func(body []byte) []byte { return body })
		assert.Empty(t, r.violations)
		counts := map[outcome]int{}
		for _, l := range r.lines {
			counts[l.outcome]++
		}
		assert.GreaterOrEqual(t, counts[asDescribed], 70, out)
		assert.Zero(t, counts[noAnswer], out)
		for _, request := range server.Requests() {
			assert.Equal(t, http.MethodGet, request.Method)
		}
	})
}

// The output consists of names of operations and members. It contains no value
// of a response: no name, id, amount, time or text.
func TestNoValueOfAnAnswerIsInTheOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		seen := map[string]bool{}
		_, out, _ := read(t, func(body []byte) []byte {
			decoder := json.NewDecoder(bytes.NewReader(body))
			decoder.UseNumber()
			var value any
			if decoder.Decode(&value) == nil {
				mu.Lock()
				defer mu.Unlock()
				values(value, func(text string) { seen[text] = true })
			}
			return body
		})
		require.Greater(t, len(seen), 500)
		words := map[string]bool{}
		for _, word := range regexp.MustCompile(`[^\s:,.]+`).FindAllString(out, -1) {
			words[word] = true
		}
		for text := range seen {
			// Counts and statuses are numbers, too. A word that is also in the
			// description reveals nothing about the account.
			if len(text) > 3 && (strings.ContainsAny(text, " -@/0123456789") || words[text]) {
				assert.NotContains(t, out, text)
			}
		}
	})
}

// A completely invalid response is reported by names of members, also without
// values.
func TestNothingOfAWrongAnswerIsInTheOutput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "s3cret-value"
		var spoil func(value any) any
		spoil = func(value any) any {
			switch value := value.(type) {
			case map[string]any:
				for member, inside := range value {
					if member != "id" && member != "value" {
						value[member] = spoil(inside)
					}
				}
				value["Jane "+secret] = 1
				value["nickname"] = secret
				return value
			case []any:
				for i := range value {
					value[i] = spoil(value[i])
				}
				return value
			case string:
				return 7
			}
			return secret
		}
		r, out, _ := read(t, func(body []byte) []byte {
			var value any
			if json.Unmarshal(body, &value) != nil {
				return body
			}
			if object, ok := value.(map[string]any); ok && object["value"] != nil {
				object["value"] = spoil(object["value"])
			} else {
				value = spoil(value)
			}
			text, err := json.Marshal(value)
			assert.NoError(t, err)
			return text
		})
		assert.NotEmpty(t, r.violations)
		assert.NotContains(t, out, secret)
		assert.NotContains(t, out, "Jane")
		assert.Contains(t, out, ".nickname: not described")
		assert.Contains(t, out, ".(a name that is not shown): not described")
		assert.Contains(t, out, "a number where")
	})
}

func TestWhatIsRefusedOrUnansweredIsSaidWithoutItsText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		server.Inject(
			practicetest.Fault{Operation: "listMatters", Status: 403, Body: `{"status":403,"message":"Jane s3cret"}`, ContentType: "application/json", Times: -1},
			practicetest.Fault{Operation: "listContacts", Kind: practicetest.FaultHTML, Times: -1},
		)
		shapes, err := loadShapes()
		require.NoError(t, err)
		r := &reading{client: server.Client(t, practice.WithRetries(0)), shapes: shapes, ids: map[string]string{}}
		r.all(t.Context())
		var out bytes.Buffer
		require.NoError(t, r.print(&out))
		assert.Regexp(t, `(?m)^listMatters +403 +0  refused$`, out.String())
		assert.Regexp(t, `(?m)^getMatter +- +0  no record to read$`, out.String())
		assert.Regexp(t, `(?m)^listContacts +502 +0  refused$`, out.String())
		assert.NotContains(t, fmt.Sprint(r.lines, r.violations, out.String()), "s3cret")
	})
}
