package practicetest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestEveryRuleIsKept violates each rule of the API description in a valid
// request of each operation to which it applies, and obeys it in another one.
func TestEveryRuleIsKept(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s, broken := practicetest.New(t, practicetest.WithVirtualClock(start), practicetest.WithWriteDelay(time.Hour)), map[description.RuleKind]int{}
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		if o.Body == nil || o.Body.Type.Ref == nil {
			continue
		}
		sent := goodCall(t, s, op)
		for _, r := range o.Body.Type.Ref.Rules {
			for _, change := range breaking(r, o.Body.Type.Ref, s) {
				body := map[string]any{}
				require.NoError(t, json.Unmarshal([]byte(sent.body), &body))
				for name, value := range change {
					if body[name] = value; value == nil {
						delete(body, name)
					}
				}
				text, err := json.Marshal(body)
				require.NoError(t, err)
				s.Tolerate(func() {
					got := callFor(t, s, op).do(sent.method, sent.path, string(text))
					assert.Equal(t, 400, got.Status, "%s: %s: %s: %s", op.ID, r, text, got.Body)
					assert.Contains(t, got.Body, `"field":"`, "%s: %s", op.ID, r)
				})
				broken[r.Kind]++
			}
		}
	}
	for _, kind := range []description.RuleKind{
		description.AtMostOne, description.ExactlyOne, description.Needs, description.ZeroWith, description.Differs, description.Lacks,
		description.NotTheCaller, description.NeverBecomes, description.ComesWith, description.Excludes,
	} {
		assert.Positive(t, broken[kind], kind)
	}
}

// breaking returns changes to a body that make it violate a rule. A nil value
// removes a member.
func breaking(r description.Rule, of *description.Schema, s *practicetest.Server) (all []map[string]any) {
	f := s.Firm()
	a, b := r.Members[0], r.Members[len(r.Members)-1]
	switch r.Kind {
	case description.AtMostOne:
		for i, one := range r.Members {
			for _, other := range r.Members[i+1:] {
				all = append(all, map[string]any{one: true, other: true})
			}
		}
	case description.ExactlyOne:
		none := map[string]any{}
		for _, name := range r.Members {
			none[name] = nil
		}
		all = append(all, none, map[string]any{"company": map[string]any{"name": "n"}, "trust": map[string]any{"name": "n"}})
	case description.Needs:
		if of.Member(b).Type.Kind == description.Boolean {
			return []map[string]any{{a: true, b: false}}
		}
		for _, v := range of.Member(b).Type.Enum.Values {
			if !strings.Contains(strings.Join(r.Values, "/"), v.Value) {
				all = append(all, map[string]any{a: 10, b: json.RawMessage(v.Value)})
			}
		}
	case description.ComesWith:
		all = append(all, map[string]any{a: valueOf(of.Member(a)), b: nil})
	case description.Excludes:
		for _, other := range r.Members[1:] {
			all = append(all, map[string]any{a: map[string]any{}, other: valueOf(of.Member(other))})
		}
	case description.ZeroWith:
		all = append(all, map[string]any{a: 1.5, b: true})
	case description.Differs:
		all = append(all, map[string]any{a: "Buyer", b: "Buyer"})
	case description.Lacks:
		all = append(all, map[string]any{a: []string{f.StaffID}, b: f.StaffID})
	case description.NotTheCaller:
		all = append(all, map[string]any{a: s.Credentials().UserID})
	case description.NeverBecomes:
		if of.Name != "MatterWrite" {
			return []map[string]any{{a: true, "items": nil}}
		}
	}
	return all
}

// valueOf returns a non-empty value for a member.
func valueOf(m *description.Member) any {
	switch m.Type.Kind {
	case description.List:
		return []string{"2f4c1a0e-0f4d-4f0a-9a52-0c5f0e1d2b3c"}
	case description.Ref:
		return map[string]any{}
	case description.Boolean:
		return true
	case description.Instant:
		return "2027-01-01T00:00:00Z"
	default:
		return "Text"
	}
}
