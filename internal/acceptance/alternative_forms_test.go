package acceptance_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/description"
	"github.com/practicesdk/practice-go/models"
)

// formsOfLists holds the forms of a response to a list, each with one record.
var formsOfLists = map[string]string{
	"page":       `{"value":[{"id":"r1"}],"offset":0,"size":1}`,
	"collection": `{"value":[{"id":"r1"}]}`,
	"array":      `[{"id":"r1"}]`,
	"record":     `{"id":"r1","href":"/r1"}`,
}

// TestEveryFormOfAListIsRead checks that List and All read each form that the
// description allows for a list.
func TestEveryFormOfAListIsRead(t *testing.T) {
	t.Parallel()
	document := described(t)
	tried := 0
	for _, area := range document.Areas {
		for _, o := range area.Operations {
			if o.Paging == nil || len(o.Paging.Shapes) < 2 {
				continue
			}
			for _, shape := range o.Paging.Shapes {
				service := reflect.ValueOf(oneRecord(t, formsOfLists[shape])).Elem().FieldByName(area.Name)
				for _, name := range []string{o.Method, "All" + strings.TrimPrefix(o.Method, "List")} {
					method := service.MethodByName(name)
					require.True(t, method.IsValid(), "%s.%s", area.Name, name)
					assert.Equal(t, 1, recordsRead(t, method), "%s.%s: %s", area.Name, name, shape)
					tried++
				}
			}
		}
	}
	assert.Equal(t, 14, tried)
}

// recordsRead calls a List or All method with ids and no options.
func recordsRead(t *testing.T, method reflect.Value) (records int) {
	t.Helper()
	in := []reflect.Value{reflect.ValueOf(t.Context())}
	for i := 1; i < method.Type().NumIn()-1; i++ {
		if of := method.Type().In(i); of.Kind() == reflect.String {
			in = append(in, reflect.ValueOf("632ed7c7-ef4f-5faf-8178-000000000001"))
		} else {
			in = append(in, reflect.Zero(of))
		}
	}
	out := method.Call(in)
	if len(out) == 2 {
		require.Nil(t, out[1].Interface())
		return out[0].Elem().FieldByName("Items").Len()
	}
	for _, err := range out[0].Seq2() {
		require.Nil(t, err.Interface())
		records++
	}
	return records
}

func TestAnAnswerThatIsNeitherAListNorARecordIsNoTransaction(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"message":"maintenance"}`, `{"id":null}`, `{"id":""}`, `{"id":"t1","value":{}}`} {
		client := oneRecord(t, body)
		_, err := client.BankAccounts.ListTransactions(t.Context(), "a", practice.TransactionListOptions{})
		require.ErrorIs(t, err, practice.ErrEmptyPage, body)
		_, err = practice.Collect(client.BankAccounts.AllTransactions(t.Context(), "a", practice.TransactionListOptions{}))
		require.ErrorIs(t, err, practice.ErrEmptyPage, body)
	}
	_, err := oneRecord(t, `{"id":"m1"}`).Stages.ListSets(t.Context(), practice.StageListOptions{})
	require.ErrorIs(t, err, practice.ErrEmptyPage, "other lists have no such form")
}

// TestEveryFormOfAMemberIsRead checks the members for which the description
// allows several forms.
func TestEveryFormOfAMemberIsRead(t *testing.T) {
	t.Parallel()
	kinds := map[description.Kind][]string{
		description.TextOrInteger: {`"Normal"`, `"0"`, `0`},
		description.ObjectOrList:  {`{"name":["is missing"]}`, `[{"message":"is missing"}]`},
	}
	document := described(t)
	records := map[string]any{"CalendarEvent": &models.CalendarEvent{}, "Problem": &models.Problem{}}
	tried := 0
	for _, a := range document.Areas {
		for _, s := range a.Schemas {
			for _, m := range s.Members {
				for _, form := range kinds[m.Type.Kind] {
					record, known := records[s.GoName]
					if !assert.True(t, known, "%s.%s has several forms: add the record", s.Name, m.Name) {
						continue
					}
					require.NoError(t, json.Unmarshal([]byte(`{"`+m.Name+`":`+form+`}`), record), "%s.%s: %s", s.Name, m.Name, form)
					text, err := json.Marshal(record)
					require.NoError(t, err)
					assert.Contains(t, string(text), `"`+m.Name+`":`, "%s: %s", s.Name, form)
					assert.NotContains(t, string(text), `"`+m.Name+`":null`, "%s: %s", s.Name, form)
					tried++
				}
			}
		}
	}
	assert.Equal(t, 5, tried)
}
