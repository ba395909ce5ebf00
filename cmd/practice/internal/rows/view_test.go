package rows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// TestAWriteShows compares what a write sends with the record that is there.
func TestAWriteShows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		operation, body, record string
		shows                   bool
		changes                 []string
	}{
		"other members of a PATCH":           {"patchFee", `{"rate":385.50}`, `{"rate":385.5,"description":"By phone"}`, true, nil},
		"a member that a PATCH sets":         {"patchFee", `{"rate":385.50}`, `{"rate":1}`, false, []string{"rate"}},
		"a member that a PUT clears":         {"updateFee", `{"feeDate":"2026-11-01"}`, `{"feeDate":"2026-11-01","description":"By phone"}`, false, []string{"description"}},
		"an amount that a PUT clears":        {"updateFee", `{"feeDate":"2026-11-01"}`, `{"feeDate":"2026-11-01","rate":12.50}`, false, []string{"rate"}},
		"a member that a PUT has cleared":    {"updateFee", `{"feeDate":"2026-11-01"}`, `{"feeDate":"2026-11-01","description":"","rate":0.00}`, true, nil},
		"null for a member that is not read": {"updateFee", `{"feeDate":"2026-11-01","description":null}`, `{"feeDate":"2026-11-01"}`, true, nil},
		"a default of the service":           {"updateFee", `{"feeDate":"2026-11-01"}`, `{"feeDate":"2026-11-01","isBillable":true}`, true, nil},
		"clients, which a PUT keeps":         {"updateMatter", `{"description":"x"}`, `{"description":"x","clients":[{"id":"a"}]}`, true, nil},
		"an id in place of a link":           {"patchMatter", `{"personResponsibleStaffId":"a","clientIds":["b"]}`, `{"personResponsible":{"id":"a"},"clients":[{"id":"b"}]}`, true, nil},
		"an element with a key":              {"patchMatterLayout", `{"values":[{"key":"b","value":"2"}]}`, `{"values":[{"key":"a","value":"1"},{"key":"b","value":"2","state":null}]}`, true, nil},
		"an element with another value":      {"patchMatterLayout", `{"values":[{"key":"b","value":"3"}]}`, `{"values":[{"key":"b","value":"2"}]}`, false, []string{"values"}},
		"a key that is an object":            {"patchMatterLayout", `{"values":[{"key":"b","value":"3"}]}`, `{"values":[{"key":{},"value":"2"}]}`, false, []string{"values"}},
		"a list without keys is whole":       {"patchMatterLayout", `{"events":[{"id":"a"}]}`, `{"events":[{"id":"a"},{"id":"b"}]}`, false, []string{"events"}},
		"a text that is stored as RTF":       {"updateMemo", `{"title":"t","text":"x"}`, `{"title":"t","text":"{\\rtf1 x}","plainText":"x"}`, true, nil},
		"another text that is stored as RTF": {"updateMemo", `{"title":"t","text":"y"}`, `{"title":"t","text":"{\\rtf1 x}","plainText":"x"}`, false, []string{"text"}},
		"no body":                            {"patchFee", ``, `{"rate":1}`, false, nil},
	} {
		all := practice.Operations()
		i := 0
		for all[i].ID != test.operation {
			i++
		}
		var sent any
		if test.body != "" {
			var err error
			sent, err = Decode([]byte(test.body))
			require.NoError(t, err)
		}
		record, err := Decode([]byte(test.record))
		require.NoError(t, err)
		v := WriteOf(all[i], []byte(test.body), plain(sent)).View(record, false)
		assert.Equal(t, test.shows, v.Shows, name)
		assert.Len(t, v.Changes, len(test.changes), "%s: %v", name, v.Changes)
		for _, member := range test.changes {
			assert.Contains(t, v.Changes, member, name)
		}
	}
}
