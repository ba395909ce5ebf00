package practicetest_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// statement is a documented property of the service with a function that checks
// it.
type statement struct {
	says string
	seen string
	see  func(w *witness)
}

// TestTheServiceIsAsStated checks the documented properties of the service with
// net/http, without this module's client.
func TestTheServiceIsAsStated(t *testing.T) {
	t.Parallel()
	for _, all := range [][]statement{
		statementsOfThePath(), statementsOfAnswers(), statementsOfWrites(), statementsOfFolders(), statementsOfUploads(),
		statementsOfAccess(), statementsOfScopes(), statementsOfAccounts(), statementsOfSubscriptions(), statementsOfDeliveries(),
		statementsOfRecords(), statementsOfTestTools(), statementsOfFailures(), statementsOfTheRoot(),
		statementsOfMatters(), statementsOfValues(),
	} {
		for _, one := range all {
			t.Run(one.says, func(t *testing.T) {
				t.Parallel()
				require.NotEmpty(t, one.seen)
				one.see(&witness{t: t})
			})
		}
	}
}

// witness is the service with which a statement is checked.
type witness struct {
	t *testing.T
	*practicetest.Server
}

// at starts the service and returns a caller.
func (w *witness) at(options ...practicetest.Option) caller {
	w.t.Helper()
	w.Server = practicetest.New(w.t, options...)
	return call(w.t, w.Server)
}

// noticed returns the number of violations that f causes.
func (w *witness) noticed(f func()) int { return len(w.Tolerate(f)) }

// matter returns a path below the first matter.
func (w *witness) matter(more string) string { return "/matters/" + w.Firm().MatterID + more }

// contact returns a path below the first contact.
func (w *witness) contact(more string) string { return "/contacts/" + w.Firm().ContactID + more }

// hook returns the body of a webhook subscription.
func hook(types ...string) string {
	return fmt.Sprintf(`{"name":"n","eventTypes":["%s"],"eventNotificationUrl":%q}`, strings.Join(types, `","`), hooks)
}

// code returns an authorization code.
func (w *witness) code(change url.Values) string {
	w.t.Helper()
	status, back := authorize(w.t, w.Server, change)
	require.Equal(w.t, http.StatusFound, status)
	require.NotEmpty(w.t, back.Get("code"), back.Get("error"))
	return back.Get("code")
}

// redeem sends a code to the token endpoint.
func (w *witness) redeem(code string, change url.Values) answer {
	w.t.Helper()
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier}, "redirect_uri": {"https://app.example.test/back?x=1"},
	}
	maps.Copy(form, change)
	return grant(w.t, w.Server, form)
}

// codeGrant performs the authorization code grant and returns the response of
// the token endpoint.
func (w *witness) codeGrant(change url.Values) answer {
	w.t.Helper()
	return w.redeem(w.code(change), nil)
}

// scoped returns a caller whose token has the scopes.
func (w *witness) scoped(scopes ...string) caller {
	w.t.Helper()
	c := call(w.t, w.Server)
	c.token = w.codeGrant(url.Values{"scope": {strings.Join(scopes, " ")}}).text("access_token")
	return c
}
