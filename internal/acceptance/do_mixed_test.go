package acceptance_test

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

type (
	besideRecord struct {
		models.MemoWrite
		Retainer string `json:"retainer"`
	}
	besidePointer struct {
		*models.Memo
		Retainer string `json:"retainer"`
	}
	onlyPointer  struct{ *models.Memo }
	onlyRecord   struct{ models.Memo }
	besideNested struct {
		onlyRecord
		Retainer string `json:"retainer"`
	}
	NestedPointer struct{ *onlyRecord }
	besideValue   struct {
		models.Decimal
		Currency string `json:"currency"`
	}
	besidePage struct {
		practice.Page[models.Memo]
		Total int `json:"total"`
	}
	besideIgnored struct {
		models.MemoWrite
		Note string `json:"-"`
	}
	holdsOne     struct{ Items map[string][]*besideRecord }
	selfHolding  struct{ Next *selfHolding }
	holdsRecords struct {
		Memo  models.Memo
		Memos []models.Memo
		At    time.Time
		Link  *models.Link
	}
)

// TestDoRefusesWhatEmbedsARecordBesideOtherFields checks that a struct that
// embeds a record is refused if it has other fields: the promoted methods would
// neither send nor decode them.
func TestDoRefusesWhatEmbedsARecordBesideOtherFields(t *testing.T) {
	t.Parallel()
	cyclic := []any{nil}
	cyclic[0] = besideRecord{}
	for name, value := range map[string]any{
		"beside a field":      besideRecord{},
		"by a pointer":        &besideRecord{},
		"a pointer to it":     besidePointer{},
		"a pointer and alone": onlyPointer{},
		"in another struct":   besideNested{},
		"deeper, by pointer":  NestedPointer{},
		"a value":             besideValue{},
		"a page":              besidePage{},
		"in a list":           []besideRecord{{}},
		"in a map of a field": holdsOne{},
		"in an interface":     map[string]any{"memo": []any{besideRecord{}}},
		"in a list of any":    cyclic,
		"in a collection":     models.Collection[besideRecord]{},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sent := 0
			client := countingClient(t, &sent)
			err := client.Do(t.Context(), practice.Request{Method: http.MethodPost, Path: "/others", Body: value}, nil)
			refused, is := errors.AsType[*practice.ArgumentError](err)
			require.True(t, is, "%v", err)
			assert.Equal(t, "Body", refused.Argument)
			err = client.Do(t.Context(), practice.Request{Method: http.MethodGet, Path: "/others"}, &value)
			refused, is = errors.AsType[*practice.ArgumentError](err)
			require.True(t, is, "%v", err)
			assert.Equal(t, "out", refused.Argument)
			assert.Zero(t, sent, "nothing was sent")
		})
	}
}

func TestDoTakesWhatEmbedsARecordAlone(t *testing.T) {
	t.Parallel()
	list := []any{1}
	list[0] = &list
	for name, value := range map[string]any{
		"alone":                    &onlyRecord{},
		"beside what JSON ignores": &besideIgnored{MemoWrite: models.MemoWrite{Title: "Call", Text: "Text"}},
		"records in fields":        &holdsRecords{},
		"of itself":                &selfHolding{},
		"a collection":             &models.Collection[models.Memo]{},
	} {
		sent := 0
		client := countingClient(t, &sent)
		require.NoError(t, client.Do(t.Context(), practice.Request{Method: http.MethodPut, Path: "/others", Body: value}, value), name)
		assert.Equal(t, 1, sent, name)
	}
	sent := 0
	err := countingClient(t, &sent).Do(t.Context(), practice.Request{Method: http.MethodPut, Path: "/others", Body: list}, nil)
	require.True(t, testkit.IsArgumentError(err), "a cycle ends: %v", err)
}

func countingClient(t *testing.T, sent *int) *practice.Client {
	t.Helper()
	client, err := practice.NewClient("https://api.example.test", practice.WithAPIKey("key"),
		practice.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			*sent++
			return testkit.AnswerOf(http.StatusOK, "{}"), nil
		})}))
	require.NoError(t, err)
	return client
}
