package command

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

// TestAWaitForAChangeThatChangesNothingEnds when the record was as asked for
// and stays so. A read that is older than a former write is not believed.
func TestAWaitForAChangeThatChangesNothingEnds(t *testing.T) {
	t.Parallel()
	const same, other = `{"id":"r","versionId":"1","subject":"Same","description":null}`, `{"id":"r","versionId":"2","subject":"Other"}`
	patch, put := "fees patch m r --yes --set subject=Same", "fees update m r --yes --set subject=Same --set feeDate=2026-11-01"
	byPhone := strings.Replace(same, `null`, `"By phone","feeDate":"2026-11-01"`, 1)
	const layout = `{"id":"47dad59d-4f50-4910-aedb-bd998950cf02","values":[{"key":"Use","value":"Residence"},{"key":"Title","value":"Freehold","state":null}]}`
	element := "layouts patch 9b412d02-f11b-44eb-8c11-b25d8a3b43aa 47dad59d-4f50-4910-aedb-bd998950cf02 --set itemId=47dad59d-4f50-4910-aedb-bd998950cf02 " +
		"--set values[0].key=Title --set values[0].value="
	for name, test := range map[string]struct {
		line  string
		reads func(after time.Duration) string // from the acceptance on; before it 0
		code  int
		least time.Duration
		most  time.Duration
		said  bool
	}{
		"it is as asked for":        {patch, func(time.Duration) string { return same }, 0, time.Second, 2 * time.Second, true},
		"the write makes a version": {patch, func(after time.Duration) string { return strings.Replace(same, `"1"`, `"`+after.String()+`"`, 1) }, 0, 0, time.Second, false},
		"a former write comes first": {patch, func(after time.Duration) string {
			return at(after, same, other, strings.Replace(same, `"1"`, `"3"`, 1))
		}, 0, 3 * time.Second, 10 * time.Second, false},
		"a former write stays":       {patch, func(after time.Duration) string { return at(after, same, other, other) }, 7, time.Minute, 2 * time.Minute, false},
		"another value is asked for": {strings.Replace(patch, "Same", "New", 1), func(time.Duration) string { return same }, 7, time.Minute, 2 * time.Minute, false},
		"no read has the member":     {patch + " --set staffId=9b412d02-f11b-44eb-8c11-b25d8a3b43aa", func(time.Duration) string { return same }, 7, time.Minute, 2 * time.Minute, false},
		"the body repeats the path": {"contacts update-relation c 9b412d02-f11b-44eb-8c11-b25d8a3b43aa --set relatedContactId=9b412d02-f11b-44eb-8c11-b25d8a3b43aa", func(time.Duration) string {
			return `{"id":"9b412d02-f11b-44eb-8c11-b25d8a3b43aa","relation":"Contacts"}`
		}, 0, time.Second, 2 * time.Second, true},
		"a PUT keeps all members": {put, func(time.Duration) string {
			return strings.Replace(same, `"id"`, `"feeDate":"2026-11-01","rate":0.00,"taxInclusive":false,"id"`, 1)
		}, 0, time.Second, 2 * time.Second, true},
		"a PUT clears a member": {put, func(time.Duration) string {
			return byPhone
		}, 7, time.Minute, 2 * time.Minute, false},
		"a PUT clears a member after a colleague's change": {put, func(after time.Duration) string {
			return at(after, byPhone, strings.Replace(byPhone, `"1"`, `"2"`, 1), strings.Replace(same, `"1"`, `"3"`, 1))
		}, 0, 3 * time.Second, 10 * time.Second, false},
		"a list has the element": {element + "Freehold", func(time.Duration) string { return layout }, 0, time.Second, 2 * time.Second, true},
		"a list gets the element": {element + "Strata", func(after time.Duration) string {
			return at(after, layout, layout, strings.Replace(layout, "Freehold", "Strata", 1))
		}, 0, 3 * time.Second, 10 * time.Second, false},
		"a list keeps the element": {element + "Strata", func(time.Duration) string { return layout }, 7, time.Minute, 2 * time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var accepted time.Time
				w := &world{fails: func(_ *world, r *http.Request) (*http.Response, error) {
					switch {
					case r.Method != http.MethodGet:
						accepted = time.Now()
						return responds(http.StatusAccepted, `{"id":"r","href":"https://service.test/matters/m/fees/r"}`)
					case accepted.IsZero():
						return responds(http.StatusOK, test.reads(0))
					}
					return responds(http.StatusOK, test.reads(time.Since(accepted)))
				}}
				env := map[string]string{"PRACTICE_BASE_URL": "https://service.test", "PRACTICE_API_KEY": "k", "PRACTICE_ACCESS_TOKEN": "t", "PRACTICE_CONFIG_DIR": "/nonexistent"}
				var out, said bytes.Buffer
				a := &app{Streams: Streams{strings.NewReader(""), &out, &said}, env: func(name string) string { return env[name] }, wire: &http.Client{Transport: w}}
				code := a.execute(t.Context(), append(strings.Fields(test.line), "--wait"))
				a.close()
				took := time.Since(accepted)
				assert.Equal(t, test.code, code, said.String())
				assert.True(t, took >= test.least && took <= test.most, took)
				assert.Equal(t, test.said, strings.Contains(said.String(), "had the requested values"), said.String())
			})
		})
	}
}

// at returns what is there after half a second and after three.
func at(after time.Duration, first, then, last string) string {
	switch {
	case after < 500*time.Millisecond:
		return first
	case after < 3*time.Second:
		return then
	}
	return last
}

// TestAFailedWaitSaysWhatToDo names commands, with the id of the record if a
// command reads it.
func TestAFailedWaitSaysWhatToDo(t *testing.T) {
	t.Parallel()
	const id = "9b412d02-f11b-44eb-8c11-b25d8a3b43aa"
	for line, next := range map[string]string{
		"memos create " + id + " --set title=x --set text=y":                    "practice memos get " + id + " r.",
		"fees create " + id + " --set feeDate=2026-11-01 --set subject=x --yes": "practice fees get " + id + " r.",
	} {
		got := failedWait(t, strings.Fields(line+" --wait -o json"))
		assert.Equal(t, exitAfterwards, got.code, got.err)
		assert.NotContains(t, got.err, "Follow", line)
		assert.Contains(t, got.err, next, line)
	}
}

// failedWait executes a create whose record never appears.
func failedWait(t *testing.T, args []string) (got result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := &world{fails: func(_ *world, r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet {
				return responds(http.StatusAccepted, `{"id":"r","href":"https://service.test/other/r"}`)
			}
			return responds(http.StatusForbidden, `{"title":"No"}`)
		}}
		env := map[string]string{"PRACTICE_BASE_URL": "https://service.test", "PRACTICE_API_KEY": "k", "PRACTICE_ACCESS_TOKEN": "t", "PRACTICE_CONFIG_DIR": "/nonexistent"}
		var out, said bytes.Buffer
		a := &app{Streams: Streams{strings.NewReader(""), &out, &said}, env: func(name string) string { return env[name] }, wire: &http.Client{Transport: w}}
		got.code = a.execute(t.Context(), args)
		a.close()
		got.out, got.err = out.String(), said.String()
	})
	return got
}
