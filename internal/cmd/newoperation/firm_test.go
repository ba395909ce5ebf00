package main

import (
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/internal/operations"
)

// other lists the rows whose sample call uses a record other than the path
// suggests, with the reason.
var other = map[string]string{
	"deleteFirmUser UserID":                  "the user of the call stays",
	"patchFolder FolderID":                   "a folder that others lie in stays as it is",
	"updateFolder FolderID":                  "a folder that others lie in stays as it is",
	"deleteFolder FolderID":                  "a folder that others lie in stays as it is",
	"getFolderPath FolderID":                 "a path of two folders",
	"listFolderHistory FolderID":             "beside the folders that are written",
	"createContactRelation ContactID":        "the way back of a relation is new",
	"updateContactRelation ContactID":        "the way back of a relation is written",
	"updateContactRelation RelatedContactID": "the way back of a relation is written",
	"deleteContactRelation ContactID":        "the way back of a relation is written",
	"deleteContactRelation RelatedContactID": "the way back of a relation is written",
	"subscribeUsage UsageID":                 "a usage product that the subscription has not",
}

func TestTheRecordOfAPathIsThatOfTheRow(t *testing.T) {
	t.Parallel()
	document, err := description.Load(os.DirFS(root + "/api"))
	require.NoError(t, err)
	for _, op := range operations.All() {
		o := document.Operation(op.ID)
		row, err := op.Sketch(t.Context())
		require.NoError(t, err)
		require.Len(t, row.Path, len(o.PathParameters), op.ID)
		firm := operations.FirmOf(func(name string) string { return name })
		for i, parameter := range o.PathParameters {
			field := firmField(document, o.Path, parameter.Name)
			_, excused := other[op.ID+" "+field]
			assert.NotEqual(t, row.Path[i] == fieldOf(firm, field), excused, "%s: %s is %s in the row; excused is %t", op.ID, field, row.Path[i], excused)
		}
	}
}

// fieldOf returns the value of a field of firm, which in the registry is the
// name of a fact.
func fieldOf(firm operations.Firm, field string) string {
	value := reflect.ValueOf(firm).FieldByName(field)
	if !value.IsValid() {
		return "unknown"
	}
	return value.String()
}
