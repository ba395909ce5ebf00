package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
)

// clockSkew is how much earlier than its intent a record may seem to be created.
const clockSkew = 5 * time.Minute

// errNoFinder reports a create that no method of the client can find.
var errNoFinder = errors.New("nothing finds such a record: a person must look for it")

// finder returns the function by which once looks for a created record, or nil
// if no method of the client finds such a record.
func (a *Assistant) finder(v *preview) func(context.Context, once.Intent) ([]string, error) {
	matter, _ := v.arguments["matterId"].(string)
	contacts, events, expenses, fees := a.client.Contacts, a.client.Events, a.client.Expenses, a.client.Fees
	matters, memos, roles, tasks := a.client.Matters, a.client.Memos, a.client.Roles, a.client.Tasks
	switch v.operation.ID {
	case "createContact":
		return finding(v.body, contacts.FindCreated, func(r *models.Contact) string { return r.ID })
	case "createEvent":
		return finding(v.body, events.FindCreated, func(r *models.CalendarEvent) string { return r.ID })
	case "createExpense":
		return finding(v.body, below(matter, expenses.FindCreated), func(r *models.Expense) string { return r.ID })
	case "createFee":
		return finding(v.body, below(matter, fees.FindCreated), func(r *models.Fee) string { return r.ID })
	case "createMatter":
		return finding(v.body, matters.FindCreated, func(r *models.Matter) string { return r.ID })
	case "createMemo":
		return finding(v.body, below(matter, memos.FindCreated), func(r *models.Memo) string { return r.ID })
	case "createTask":
		return finding(v.body, tasks.FindCreated, func(r *models.Task) string { return r.ID })
	case "addMatterRole":
		find := func(ctx context.Context, role models.RoleWrite, _ time.Time, opts ...practice.CallOption) ([]models.Role, error) {
			return roles.FindCreated(ctx, matter, role, opts...)
		}
		return finding(v.body, find, func(r *models.Role) string { return r.ID })
	}
	return nil
}

// below returns the finder of records of one matter.
func below[W, R any](matter string, find func(context.Context, string, W, time.Time, ...practice.CallOption) ([]R, error)) func(context.Context, W, time.Time, ...practice.CallOption) ([]R, error) {
	return func(ctx context.Context, wrote W, since time.Time, opts ...practice.CallOption) ([]R, error) {
		return find(ctx, matter, wrote, since, opts...)
	}
}

// finding returns a function that finds the ids of the records for a body.
func finding[W, R any](body []byte, find func(context.Context, W, time.Time, ...practice.CallOption) ([]R, error), id func(*R) string) func(context.Context, once.Intent) ([]string, error) {
	return func(ctx context.Context, intent once.Intent) ([]string, error) {
		var wrote W
		if err := json.Unmarshal(body, &wrote); err != nil {
			return nil, err
		}
		records, err := find(permitted(ctx, &permit{}, maxRequests), wrote, intent.At.Add(-clockSkew))
		return once.IDs(records, id), err
	}
}
