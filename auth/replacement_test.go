package auth_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// numbered is a token endpoint whose tokens are numbers, from 1.
type numbered struct{ requested int }

func (n *numbered) RoundTrip(*http.Request) (*http.Response, error) {
	n.requested++
	return testkit.AnswerOf(http.StatusOK, fmt.Sprintf(`{"access_token":"%d"}`, n.requested)), nil
}

// attempted is a call as the transport makes it: it takes a token, is refused
// with 401, has the token replaced, and reports whether the service accepts the
// other one.
type attempted struct {
	token    string
	step     int
	replaced bool // it has tried the other token
	accepted bool
}

// next takes the next step, and returns false after the last one.
func (a *attempted) next(t *testing.T, tokens practice.AccessTokens, valid func(string) bool) bool {
	var err error
	switch a.step++; a.step {
	case 1:
		a.token, err = tokens.Token(t.Context(), "")
	case 2:
		if a.accepted = valid(a.token); a.accepted {
			return false
		}
		refused := a.token
		a.token, err = tokens.Token(t.Context(), refused)
		if a.token == refused {
			return false
		}
	case 3:
		a.accepted, a.replaced = valid(a.token), true
		tokens.Replaced(a.token, a.accepted)
		return false
	}
	require.NoError(t, err)
	return true
}

// everyOrder calls try for each order of the steps of some calls.
func everyOrder(calls int, try func(order []int)) {
	const steps = 3
	left := make([]int, calls)
	for i := range left {
		left[i] = steps
	}
	var order []int
	var extend func()
	extend = func() {
		if len(order) == calls*steps {
			try(order)
		}
		for i := range left {
			if left[i] > 0 {
				left[i]--
				order = append(order, i)
				extend()
				order = order[:len(order)-1]
				left[i]++
			}
		}
	}
	extend()
}

// TestARefusalOfTokensIsMetByOneRenewalInAnyOrder tries every order of the steps
// of a few calls at once. If the service refuses every token, the first token and
// one in its place are requested, and no more before the pause. If it refuses the
// first only, each call succeeds, and if it refuses the second one after a call
// has succeeded with it in place of the first, each call that begins then.
func TestARefusalOfTokensIsMetByOneRenewalInAnyOrder(t *testing.T) {
	t.Parallel()
	orders := 0
	credentials := auth.ClientCredentials{TokenURL: "https://signin.example.test/token", ClientID: "id", ClientSecret: models.NewSecret("secret")}
	for name, test := range map[string]struct {
		valid     func(token string, once bool) bool // once: a call has succeeded with a replaced token
		succeeds  func(once bool) bool               // whether a call does that begins now
		requested int
	}{
		"each token is refused":          {func(string, bool) bool { return false }, func(bool) bool { return false }, 2},
		"the first token has ended":      {func(token string, _ bool) bool { return token != "1" }, func(bool) bool { return true }, 2},
		"the second one is revoked soon": {func(token string, once bool) bool { return token == "3" || token == "2" && !once }, func(once bool) bool { return once }, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			everyOrder(soak.Times(3, 4), func(order []int) {
				orders++
				source := &numbered{}
				tokens, err := credentials.Bind(practice.TokenClient{HTTPClient: &http.Client{Transport: source}})
				require.NoError(t, err)
				once, calls, ended, sure := false, map[int]*attempted{}, map[int]bool{}, map[int]bool{}
				for _, call := range order {
					if ended[call] {
						continue
					}
					if calls[call] == nil {
						calls[call], sure[call] = &attempted{}, test.succeeds(once)
					}
					ended[call] = !calls[call].next(t, tokens, func(token string) bool { return test.valid(token, once) })
					once = once || calls[call].replaced && calls[call].accepted
				}
				require.LessOrEqual(t, source.requested, test.requested, "%s, order %v", name, order)
				for i, call := range calls {
					require.True(t, call.accepted || !sure[i], "%s, order %v", name, order)
				}
			})
		})
	}
	t.Logf("%d orders", orders)
	assert.Positive(t, orders)
}
