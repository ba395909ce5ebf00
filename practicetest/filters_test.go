package practicetest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestEveryFilterOfAListFilters tries the filters of each list: changes since
// 2099 and since 2000, an unknown id, and the values of enumerations one by
// one.
func TestEveryFilterOfAListFilters(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	document := describedAPI(t)
	s, filters := practicetest.New(t, practicetest.WithVirtualClock(start)), 0
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		if o.HTTPMethod != http.MethodGet {
			continue
		}
		at, err := url.Parse(goodCall(t, s, op).path)
		require.NoError(t, err)
		count := func(name, value string) (n int) {
			s.Tolerate(func() {
				asked := *at
				asked.RawQuery = url.Values{name: {value}}.Encode()
				var found bool
				if n, found = countRecords(callFor(t, s, op).get(asked.String())); !found {
					n = -1
				}
			})
			return n
		}
		whole := count("Limit", "500")
		if whole <= 0 {
			continue
		}
		for _, since := range sinceOf(o) {
			filters++
			late, early := "2099-12-31T23:59:59Z", "2000-01-02T00:00:00Z"
			if strings.HasPrefix(since.Kind, "ticks") {
				late, early = "662380415990000000", "630823680000000000"
			}
			assert.Zero(t, count(since.Name, late), op.ID+"?"+since.Name)
			assert.Equal(t, whole, count(since.Name, early), op.ID+"?"+since.Name)
		}
		for _, q := range o.Query {
			where := op.ID + "?" + q.Name
			switch {
			case where == "listUsageCharges?ProductId": // the product in the path takes precedence
			case q.Target == "mattertypes":
				assert.Zero(t, count(q.Name, nobody+"_IL"), where)
			case q.Target != "" || q.Type.Kind == description.UUID:
				assert.Zero(t, count(q.Name, nobody), where)
			case q.Type.Enum != nil && q.Name != "Fields":
				for _, v := range q.Type.Enum.Values {
					assert.NotEqual(t, -1, count(q.Name, v.Value), where)
				}
			default:
				continue
			}
			filters++
		}
	}
	t.Logf("%d filters", filters)
	assert.Greater(t, filters, 35)
}

// countRecords returns the number of records in a page or an array.
func countRecords(a answer) (n int, found bool) {
	if a.Status != http.StatusOK {
		return 0, false
	}
	switch body := a.json().(type) {
	case []any:
		return len(body), true
	case map[string]any:
		list, isList := body["value"].([]any)
		return len(list), isList
	default:
		panic(fmt.Sprintf("%T", body))
	}
}

func sinceOf(o *description.Operation) []description.ChangeFilter {
	if o.Paging == nil {
		return nil
	}
	return o.Paging.Since
}
