package acceptance_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/operations"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// readerOf returns the method that reads the records deleted by another method.
func readerOf(deletion string) string {
	if deletion == "Documents.DeleteFolder" {
		return "Documents.ListFolder"
	}
	return strings.Replace(deletion, ".Delete", ".Get", 1)
}

// TestWhatIsDeletedIsGone checks that the condition Gone holds for each kind of
// deleted record, however the service marks it.
func TestWhatIsDeletedIsGone(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, op := range operations.All() {
		if !strings.Contains(op.Name, ".Delete") || op.Name == "Events.DeleteReminder" { // reminders are only in a list
			continue
		}
		tried++
		t.Run(op.Name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				area, method, _ := strings.Cut(readerOf(op.Name), ".")
				reader := reflect.ValueOf(client).Elem().FieldByName(area).MethodByName(method)
				require.True(t, reader.IsValid(), "%s reads what %s deletes", readerOf(op.Name), op.Name)
				arguments := op.Arguments(server.Firm())
				read := func(ctx context.Context) (any, error) {
					given := []reflect.Value{reflect.ValueOf(ctx)}
					for _, argument := range arguments {
						given = append(given, reflect.ValueOf(argument))
					}
					if method == "ListFolder" {
						given = append(given, reflect.ValueOf(practice.FolderListOptions{}))
					}
					results := reader.Call(given)
					err, _ := results[1].Interface().(error)
					return results[0].Interface(), err
				}
				before, err := read(t.Context())
				require.NoError(t, err)
				_, err = practice.Await(t.Context(), func(context.Context) (any, error) { return before, nil }, practice.Gone(), practice.WithAwaitTimeout(1))
				require.ErrorIs(t, err, practice.ErrNotYet, "it is not, before")
				require.NoError(t, op.CallWith(t.Context(), client, arguments))
				_, err = practice.Await(t.Context(), read, practice.Gone())
				require.NoError(t, err)
			})
		})
	}
	assert.GreaterOrEqual(t, tried, 20)
}

// TestARecordThatIsMarkedAsDeletedIsGone checks the marks of records that no
// operation deletes.
func TestARecordThatIsMarkedAsDeletedIsGone(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		record any
		gone   bool
	}{
		"an invoice":               {&models.Invoice{Status: models.Some(models.InvoiceStatusDeleted)}, true},
		"an invoice, by value":     {models.Invoice{Status: models.Some(models.InvoiceStatusDeleted)}, true},
		"a void invoice":           {&models.Invoice{Status: models.Some(models.InvoiceStatusVoid)}, false},
		"no invoice":               {(*models.Invoice)(nil), false},
		"a bank account, closed":   {&models.BankAccount{Status: models.Some(models.BankAccountStatus(3))}, false},
		"a promotion":              {&models.Promotion{Deleted: models.Some(true)}, true},
		"a matter":                 {&models.Matter{Status: models.MatterStatusDeleted}, true},
		"a matter that is closed":  {&models.Matter{Status: models.MatterStatusClosed}, false},
		"a member who has left":    {&models.StaffMember{Former: models.Some(true)}, true},
		"a user who has left":      {&models.FirmUser{IsFormerUser: models.Some(true)}, true},
		"a contact":                {&models.Contact{IsDeleted: models.Some(true)}, true},
		"a restored contact":       {&models.Contact{IsDeleted: models.Some(false)}, false},
		"a record without a model": {map[string]any{"status": "Deleted"}, true},
	} {
		_, err := practice.Await(t.Context(), func(context.Context) (any, error) { return row.record, nil }, practice.Gone(), practice.WithAwaitTimeout(1))
		assert.Equal(t, row.gone, err == nil, "%s: %v", name, err)
	}
}
