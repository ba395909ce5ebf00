package acceptance_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestModifyLooksAgainBeforeItRepeatsAWrite loses the response to a
// replacement, or refuses it temporarily. It checks that the client detects a
// change by somebody else before the next attempt, and otherwise writes the
// same body again.
func TestModifyLooksAgainBeforeItRepeatsAWrite(t *testing.T) {
	t.Parallel()
	const changed = "changed"
	rename := func(code *models.ActivityCodeWrite) error { code.Code = "OWN"; return nil }
	for name, test := range map[string]struct {
		fault  practicetest.Fault
		others string        // code that somebody else writes after the first attempt
		reads  int           // status of every read after the first attempt; 0: as usual
		pause  time.Duration // minimum wait before the next request
		want   string
		writes int
		code   string
	}{
		"refused by a proxy":                {fault: practicetest.Fault{Status: 503}, want: succeeds, writes: 2, code: "OWN"},
		"lost before it was executed":       {fault: practicetest.Fault{Kind: practicetest.FaultResetBefore}, want: succeeds, writes: 2, code: "OWN"},
		"lost after it was executed":        {fault: practicetest.Fault{Kind: practicetest.FaultResetAfter}, want: succeeds, writes: 2, code: "OWN"},
		"another change after a refusal":    {fault: practicetest.Fault{Status: 503}, others: "THEIRS", want: changed, writes: 1, code: "THEIRS"},
		"another change after an execution": {fault: practicetest.Fault{Kind: practicetest.FaultResetAfter}, others: "THEIRS", want: changed, writes: 1, code: "THEIRS"},
		"never answered":                    {fault: practicetest.Fault{Kind: practicetest.FaultResetAfter, Times: -1}, want: ambiguous, writes: 4, code: "OWN"},
		"unreadable after an execution":     {fault: practicetest.Fault{Kind: practicetest.FaultResetAfter}, reads: 403, want: ambiguous, writes: 1, code: "OWN"},
		"refused for seven seconds":         {fault: practicetest.Fault{Status: 503, RetryAfter: "7"}, pause: 7 * time.Second, want: succeeds, writes: 2, code: "OWN"},
		"refused for an hour":               {fault: practicetest.Fault{Status: 503, RetryAfter: "3600"}, want: ambiguous, writes: 1, code: "REV"},
		"too many requests":                 {fault: practicetest.Fault{Kind: practicetest.FaultRateLimit, RetryAfter: "7"}, pause: 7 * time.Second, want: succeeds, writes: 2, code: "OWN"},
		"another change at the limit":       {fault: practicetest.Fault{Kind: practicetest.FaultRateLimit, RetryAfter: "7"}, others: "THEIRS", want: changed, writes: 1, code: "THEIRS"},
		"unreadable at the limit":           {fault: practicetest.Fault{Kind: practicetest.FaultRateLimit}, reads: 403, want: refused, writes: 1, code: "REV"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, others *practice.Client) {
				id, writes := server.Firm().ActivityCodeID, 0
				var attempted, again time.Time
				client := server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
					return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
						if writes > 0 && again.IsZero() {
							again = time.Now()
						}
						resp, err := next.RoundTrip(req)
						if req.Method != http.MethodPut {
							return resp, err
						}
						if writes++; writes == 1 {
							attempted = time.Now()
							if test.others != "" {
								server.ClearFaults()
								assert.NoError(t, testkit.Discard(others.ActivityCodes.Update(t.Context(), id, models.ActivityCodeWrite{Code: test.others})))
							}
							if test.reads != 0 {
								server.Inject(practicetest.Fault{Operation: "getActivityCode", Status: test.reads, Times: -1})
							}
						}
						<-time.After(time.Second) // let the writes become visible
						return resp, err
					})
				}))
				fault := test.fault
				fault.Operation = "updateActivityCode"
				server.Inject(fault)
				_, err := client.ActivityCodes.Modify(t.Context(), id, rename)
				got := resultOf(err)
				if errors.Is(err, practice.ErrChangedMeanwhile) {
					got = changed
				}
				assert.Equal(t, test.want, got, "%v", err)
				_, told := errors.AsType[*practice.AmbiguousWriteError](err)
				unexecuted := test.fault.Kind == practicetest.FaultRateLimit
				assert.Equal(t, err != nil && !unexecuted, told, "that the attempt may have been executed: %v", err)
				if test.pause > 0 {
					assert.GreaterOrEqual(t, again.Sub(attempted), test.pause)
				}
				assert.Equal(t, test.writes, writes)
				server.Settle()
				code, _ := server.ActivityCode(id)
				assert.Equal(t, test.code, code.Code)
			})
		})
	}
}
