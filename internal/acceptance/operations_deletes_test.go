package acceptance_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

func TestAnOperationSaysWhichBodiesDelete(t *testing.T) {
	t.Parallel()
	all := practice.Operations()
	for _, row := range []struct {
		operation, body string
		deletes         bool
	}{
		{"patchMatter", `{"status":"Deleted"}`, true},
		{"patchMatter", `{"Status":"deleted"}`, true},
		{"updateMatter", `{"status":"Deleted","description":"x"}`, true},
		{"patchMatter", `{"status":"Closed"}`, false},
		{"patchMatter", `{"description":"Deleted"}`, false},
		{"patchMatter", `{"status":null}`, false},
		{"patchMatter", `[{"status":"Deleted"}]`, false},
		{"patchMatter", "", false},
		{"updateContact", `{"isDeleted":true}`, true},
		{"updateContact", `{"isDeleted":"true"}`, true},
		{"updateContact", `{"isDeleted":false}`, false},
		{"updateStaff", `{"former":true}`, true},
		{"updateStaff", `{"former":false}`, false},
		{"createMemo", `{"status":"Deleted"}`, false},
		{"deleteMemo", "", true},
	} {
		i := slices.IndexFunc(all, func(o practice.Operation) bool { return o.ID == row.operation })
		require.GreaterOrEqual(t, i, 0, row.operation)
		assert.Equal(t, row.deletes, all[i].Deletes([]byte(row.body)), "%s %s", row.operation, row.body)
	}
	for _, o := range all {
		assert.Equal(t, o.Method == http.MethodDelete, o.Deletes(nil), o.ID)
	}
}
