package acceptance_test

import (
	"bytes"
	"context"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/once"
	"github.com/practicesdk/practice-go/practicetest"
)

// createdKind describes how to create a record of a kind, and how FindCreated
// finds it.
type createdKind struct {
	operation string
	create    func(context.Context) error
	// find looks for the created record or, if other is set, for one that
	// differs in that member.
	find   func(ctx context.Context, other string, since time.Time) ([]string, error)
	others []string
}

// kindOf returns the createdKind for a body and its methods. Each function in
// unlike changes the body into that of another record.
func kindOf[W, T any](operation string, body W, id func(*T) string, create func(context.Context, W) error,
	find func(context.Context, W, time.Time) ([]T, error), unlike map[string]func(*W),
) createdKind {
	kind := createdKind{operation: operation, create: func(ctx context.Context) error { return create(ctx, body) }}
	kind.find = func(ctx context.Context, other string, since time.Time) ([]string, error) {
		wanted := body
		if change := unlike[other]; change != nil {
			change(&wanted)
		}
		found, err := find(ctx, wanted, since)
		return once.IDs(found, id), err
	}
	for other := range unlike {
		kind.others = append(kind.others, other)
	}
	return kind
}

// createdKinds returns a createdKind for each FindCreated method that compares
// a body.
func createdKinds(c *practice.Client, f practicetest.Firm) map[string]createdKind {
	kinds := map[string]createdKind{}
	for name, add := range map[string]func(*practice.Client, practicetest.Firm) createdKind{
		"Contacts.FindCreated": createdContact, "Contacts.FindCreated, a company": createdCompany, "Contacts.FindCreated, an id of its own": createdPartner,
		"Matters.FindCreated": createdMatter, "Matters.FindCreated, a number": createdNumber, "Matters.FindCreated, a lead": createdLead,
		"Tasks.FindCreated": createdTask, "Memos.FindCreated": createdMemo, "Memos.FindCreated, as RTF": createdRTF,
		"Events.FindCreated": createdEvent, "Events.FindCreated, without a zone": createdZoneless,
		"Events.FindCreated, in the past without a zone": createdLongAgo("1998-03-02T09:30:00", ""),
		"Events.FindCreated, at a time that came twice":  createdLongAgo("1998-03-29T02:30:00", "Australia/Sydney"),
		"Events.FindCreated, at no time of the clock":    createdLongAgo("1997-10-12T00:00:00", "America/Santiago"),
		"Roles.FindCreated":                              createdRole, "Documents.FindCreatedFile": createdFile,
		"Fees.FindCreated": createdFee, "Expenses.FindCreated": createdExpense, "BankAccounts.FindCreatedTransaction": createdDeposit,
	} {
		kinds[name] = add(c, f)
	}
	return kinds
}

func contactRow(c *practice.Client, body models.ContactWrite, unlike map[string]func(*models.ContactWrite)) createdKind {
	return kindOf("createContact", body, func(c *models.Contact) string { return c.ID },
		func(ctx context.Context, w models.ContactWrite) error {
			return testkit.Discard(c.Contacts.Create(ctx, w))
		},
		func(ctx context.Context, w models.ContactWrite, since time.Time) ([]models.Contact, error) {
			return c.Contacts.FindCreated(ctx, w, since)
		}, unlike)
}

func createdContact(c *practice.Client, _ practicetest.Firm) createdKind {
	person := models.PersonWrite{FirstName: "Ada", LastName: "Byron", Email: "ada@example.test", BirthDate: dayOf(1815, 12, 10)}
	return contactRow(c, models.ContactWrite{Person: person}, map[string]func(*models.ContactWrite){
		"first name":           func(w *models.ContactWrite) { w.Person.FirstName = "Anne" },
		"last name":            func(w *models.ContactWrite) { w.Person.LastName = "" },
		"e-mail address":       func(w *models.ContactWrite) { w.Person.Email = "a@example.test" },
		"day of birth":         func(w *models.ContactWrite) { w.Person.BirthDate = dayOf(1815, 12, 11) },
		"kind":                 func(w *models.ContactWrite) { *w = models.ContactWrite{Trust: models.TrustWrite{Name: "Byron"}} },
		"name of a trust, too": func(w *models.ContactWrite) { w.Trust.Name = "Byron" },
		"people of a group":    func(w *models.ContactWrite) { w.GroupOfPeople.PeopleIDs = []string{testkit.SomeID} },
	})
}

func createdCompany(c *practice.Client, _ practicetest.Firm) createdKind {
	return contactRow(c, models.ContactWrite{Company: models.CompanyWrite{Name: "Byron & Co", Email: "b@example.test"}}, map[string]func(*models.ContactWrite){
		"name":           func(w *models.ContactWrite) { w.Company.Name = "Byron and Co" },
		"e-mail address": func(w *models.ContactWrite) { w.Company.Email = "c@example.test" },
		"number":         func(w *models.ContactWrite) { w.Company.CompanyNumber = "12" },
	})
}

func createdPartner(c *practice.Client, _ practicetest.Firm) createdKind {
	return contactRow(c, models.ContactWrite{ExternalSystemID: "crm-4711", Person: models.PersonWrite{LastName: "Byron"}}, map[string]func(*models.ContactWrite){
		"id":              func(w *models.ContactWrite) { w.ExternalSystemID = "crm-4712" },
		"id, or the name": func(w *models.ContactWrite) { w.ExternalSystemID = ""; w.Person.LastName = "" },
	})
}

func matterRow(c *practice.Client, body models.MatterWrite, unlike map[string]func(*models.MatterWrite)) createdKind {
	return kindOf("createMatter", body, func(m *models.Matter) string { return m.ID },
		func(ctx context.Context, w models.MatterWrite) error {
			return testkit.Discard(c.Matters.Create(ctx, w))
		},
		func(ctx context.Context, w models.MatterWrite, since time.Time) ([]models.Matter, error) {
			return c.Matters.FindCreated(ctx, w, since)
		}, unlike)
}

func newMatter(f practicetest.Firm) models.MatterWrite {
	return models.MatterWrite{
		MatterTypeID: f.MatterTypeID, ClientIDs: []string{f.ContactIDs[2], f.ContactIDs[0]}, Status: models.MatterStatusOpen, Description: "Sale of a boat",
	}
}

func createdMatter(c *practice.Client, f practicetest.Firm) createdKind {
	return matterRow(c, newMatter(f), map[string]func(*models.MatterWrite){
		"type":        func(w *models.MatterWrite) { w.MatterTypeID = f.LeadID },
		"client":      func(w *models.MatterWrite) { w.ClientIDs = []string{f.ContactIDs[0]} },
		"other side":  func(w *models.MatterWrite) { w.OtherSideIDs = []string{f.ContactIDs[0]} },
		"description": func(w *models.MatterWrite) { w.Description = "Sale of a house" },
		"number":      func(w *models.MatterWrite) { w.Number = "B-1" },
		"foreign id":  func(w *models.MatterWrite) { w.ExternalSystemID = "crm-1" },
	})
}

func createdNumber(c *practice.Client, f practicetest.Firm) createdKind {
	matter := newMatter(f)
	matter.Number = "B-4711"
	return matterRow(c, matter, map[string]func(*models.MatterWrite){"number": func(w *models.MatterWrite) { w.Number = "B-4712" }})
}

func createdLead(c *practice.Client, f practicetest.Firm) createdKind {
	lead := newMatter(f)
	lead.IsLead, lead.ExternalSystemID = models.Some(true), "crm-4711"
	kind := matterRow(c, lead, map[string]func(*models.MatterWrite){"foreign id": func(w *models.MatterWrite) { w.ExternalSystemID = "crm-4712" }})
	kind.create = func(ctx context.Context) error {
		another, err := c.Matters.Get(ctx, f.LeadID)
		if err != nil {
			return err
		}
		lead.MatterTypeID = another.MatterType.TargetID()
		return testkit.Discard(c.Matters.Create(ctx, lead))
	}
	return kind
}

func createdTask(c *practice.Client, f practicetest.Firm) createdKind {
	task := models.TaskWrite{
		MatterID: strings.ToUpper(f.MatterID), StaffID: f.StaffID, Subject: "File the deed", Note: "by post", DueDateOnly: dayOf(2026, 3, 2),
		AssigneeIDs: []string{f.StaffIDs[1], f.StaffIDs[0]},
	}
	return kindOf("createTask", task, func(t *models.Task) string { return t.ID },
		func(ctx context.Context, w models.TaskWrite) error { return testkit.Discard(c.Tasks.Create(ctx, w)) },
		func(ctx context.Context, w models.TaskWrite, since time.Time) ([]models.Task, error) {
			return c.Tasks.FindCreated(ctx, w, since)
		}, map[string]func(*models.TaskWrite){
			"subject":   func(w *models.TaskWrite) { w.Subject = "" },
			"matter":    func(w *models.TaskWrite) { w.MatterID = f.MatterIDs[1] },
			"note":      func(w *models.TaskWrite) { w.Note = "by hand" },
			"due day":   func(w *models.TaskWrite) { w.DueDateOnly = w.DueDateOnly.AddDays(1) },
			"assignees": func(w *models.TaskWrite) { w.AssigneeIDs = w.AssigneeIDs[:1] },
		})
}

func memoRow(c *practice.Client, f practicetest.Firm, body models.MemoWrite, unlike map[string]func(*models.MemoWrite)) createdKind {
	return kindOf("createMemo", body, func(m *models.Memo) string { return m.ID },
		func(ctx context.Context, w models.MemoWrite) error {
			return testkit.Discard(c.Memos.Create(ctx, f.MatterID, w))
		},
		func(ctx context.Context, w models.MemoWrite, since time.Time) ([]models.Memo, error) {
			return c.Memos.FindCreated(ctx, f.MatterID, w, since)
		}, unlike)
}

func createdMemo(c *practice.Client, f practicetest.Firm) createdKind {
	return memoRow(c, f, models.MemoWrite{Title: "Call", Text: "She agrees.\r\nSend it. "}, map[string]func(*models.MemoWrite){
		"title": func(w *models.MemoWrite) { w.Title = "A call" },
		"words": func(w *models.MemoWrite) { w.Text = "She agrees." },
	})
}

func createdRTF(c *practice.Client, f practicetest.Firm) createdKind {
	return memoRow(c, f, models.MemoWrite{Title: "Call", Text: `{\rtf1\ansi She agrees.\par}`}, map[string]func(*models.MemoWrite){
		"title": func(w *models.MemoWrite) { w.Title = "A call" },
	})
}

func eventRow(c *practice.Client, body models.CalendarEventWrite, unlike map[string]func(*models.CalendarEventWrite)) createdKind {
	return kindOf("createEvent", body, func(e *models.CalendarEvent) string { return e.ID },
		func(ctx context.Context, w models.CalendarEventWrite) error {
			return testkit.Discard(c.Events.Create(ctx, w))
		},
		func(ctx context.Context, w models.CalendarEventWrite, since time.Time) ([]models.CalendarEvent, error) {
			return c.Events.FindCreated(ctx, w, since)
		}, unlike)
}

func dayOf(year int, month time.Month, day int) models.Date {
	return models.DateOf(time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
}

func localTime(text string) models.LocalDateTime {
	at, err := models.ParseLocalDateTime(text)
	if err != nil {
		panic(err)
	}
	return at
}

func createdEvent(c *practice.Client, f practicetest.Firm) createdKind {
	return eventRow(c, models.CalendarEventWrite{
		MatterID: f.MatterID, Subject: "Hearing", StartTime: localTime("2019-03-02T09:30:00"), EndTime: localTime("2019-03-02T10:30:00"), TimeZone: "Australia/Sydney",
	}, map[string]func(*models.CalendarEventWrite){
		"subject": func(w *models.CalendarEventWrite) { w.Subject = "A hearing" },
		"start":   func(w *models.CalendarEventWrite) { w.StartTime = localTime("2019-03-02T09:00:00") },
		"end":     func(w *models.CalendarEventWrite) { w.EndTime = localTime("2019-03-02T11:30:00") },
		"zone":    func(w *models.CalendarEventWrite) { w.TimeZone = "Australia/Perth" },
		"matter":  func(w *models.CalendarEventWrite) { w.MatterID = f.MatterIDs[1] },
	})
}

func createdZoneless(c *practice.Client, f practicetest.Firm) createdKind {
	return eventRow(c, models.CalendarEventWrite{MatterID: f.MatterID, Subject: "Deadline", StartTime: localTime("2031-03-02T09:30:00")}, map[string]func(*models.CalendarEventWrite){
		"start": func(w *models.CalendarEventWrite) { w.StartTime = localTime("2031-03-02T09:30:01") },
	})
}

// createdLongAgo creates an event at a clock time that has no instant of its
// own.
func createdLongAgo(start, zone string) func(*practice.Client, practicetest.Firm) createdKind {
	return func(c *practice.Client, _ practicetest.Firm) createdKind {
		return eventRow(c, models.CalendarEventWrite{Subject: "Hearing", StartTime: localTime(start), TimeZone: zone}, map[string]func(*models.CalendarEventWrite){
			"start": func(w *models.CalendarEventWrite) { w.StartTime = localTime("1996-01-01T09:30:00") },
		})
	}
}

func createdRole(c *practice.Client, f practicetest.Firm) createdKind {
	return kindOf("addMatterRole", models.RoleWrite{Name: "Surveyor", ContactID: f.ContactIDs[1]}, func(r *models.Role) string { return r.ID },
		func(ctx context.Context, w models.RoleWrite) error {
			return testkit.Discard(c.Roles.Create(ctx, f.MatterID, w))
		},
		func(ctx context.Context, w models.RoleWrite, _ time.Time) ([]models.Role, error) {
			return c.Roles.FindCreated(ctx, f.MatterID, w)
		}, map[string]func(*models.RoleWrite){
			"name":    func(w *models.RoleWrite) { w.Name = "Valuer" },
			"contact": func(w *models.RoleWrite) { w.ContactID = f.ContactIDs[2] },
		})
}

func createdFile(c *practice.Client, f practicetest.Firm) createdKind {
	return kindOf("createFile", models.FileCreate{FileName: "Deed.of.sale.pdf", FolderID: f.FolderID}, func(f *models.File) string { return f.ID },
		func(ctx context.Context, w models.FileCreate) error {
			return testkit.Discard(c.Documents.Upload(ctx, f.MatterID, practice.Upload{Name: w.FileName, FolderID: w.FolderID, Body: bytes.NewReader([]byte("x"))}))
		},
		func(ctx context.Context, w models.FileCreate, since time.Time) ([]models.File, error) {
			return c.Documents.FindCreatedFile(ctx, f.MatterID, w, since)
		}, map[string]func(*models.FileCreate){
			"name":      func(w *models.FileCreate) { w.FileName = "Deed.of.pdf" },
			"extension": func(w *models.FileCreate) { w.FileName = "Deed.of.sale.rtf" },
			"folder":    func(w *models.FileCreate) { w.FolderID = f.SubfolderID },
		})
}

func createdFee(c *practice.Client, f practicetest.Firm) createdKind {
	return kindOf("createFee", models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(testkit.SomeTime), Description: "Entry 4711"}, func(f *models.Fee) string { return f.ID },
		func(ctx context.Context, w models.FeeWrite) error {
			return testkit.Discard(c.Fees.Create(ctx, f.MatterID, w))
		},
		func(ctx context.Context, w models.FeeWrite, since time.Time) ([]models.Fee, error) {
			return c.Fees.FindCreated(ctx, f.MatterID, w, since)
		}, map[string]func(*models.FeeWrite){"description": func(w *models.FeeWrite) { w.Description = "Entry 4712" }})
}

func createdExpense(c *practice.Client, f practicetest.Firm) createdKind {
	return kindOf("createExpense", models.ExpenseWrite{Subject: "Courier", Description: "Bill 4711", Price: models.MustDecimal("1.10")}, func(e *models.Expense) string { return e.ID },
		func(ctx context.Context, w models.ExpenseWrite) error {
			return testkit.Discard(c.Expenses.Create(ctx, f.MatterID, w))
		},
		func(ctx context.Context, w models.ExpenseWrite, since time.Time) ([]models.Expense, error) {
			return c.Expenses.FindCreated(ctx, f.MatterID, w, since)
		}, map[string]func(*models.ExpenseWrite){"description": func(w *models.ExpenseWrite) { w.Description = "Bill 4712" }})
}

func createdDeposit(c *practice.Client, f practicetest.Firm) createdKind {
	return kindOf("createTransaction", models.TransactionCreate{MatterID: f.MatterID, Amount: models.MustDecimal("1.10"), Reference: "D-4711"}, func(t *models.Transaction) string { return t.ID },
		func(ctx context.Context, w models.TransactionCreate) error {
			return testkit.Discard(c.BankAccounts.CreateTransaction(ctx, f.BankAccountID, w))
		},
		func(ctx context.Context, w models.TransactionCreate, since time.Time) ([]models.Transaction, error) {
			return c.BankAccounts.FindCreatedTransaction(ctx, f.BankAccountID, w, since)
		}, map[string]func(*models.TransactionCreate){"reference": func(w *models.TransactionCreate) { w.Reference = "D-4712" }})
}

// TestEveryFindCreatedFindsWhatWasCreated loses the response to a create,
// before or after it takes effect, for every kind, and looks for the record.
func TestEveryFindCreatedFindsWhatWasCreated(t *testing.T) {
	t.Parallel()
	for name := range createdKinds(nil, someFirm()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				kind, since := createdKinds(client, server.Firm())[name], server.Clock().Now()
				count := func(other string, since time.Time) int {
					t.Helper()
					found, err := kind.find(t.Context(), other, since)
					require.NoError(t, err)
					return len(found)
				}
				server.Inject(practicetest.Fault{Operation: kind.operation, Kind: practicetest.FaultResetBefore})
				require.True(t, testkit.IsAmbiguous(kind.create(t.Context())))
				server.Settle()
				assert.Zero(t, count("", since), "nothing was created")

				if name != "Documents.FindCreatedFile" { // without the upload address there is no content, and so no file
					server.Inject(practicetest.Fault{Operation: kind.operation, Kind: practicetest.FaultResetAfter})
					require.True(t, testkit.IsAmbiguous(kind.create(t.Context())))
				} else {
					require.NoError(t, kind.create(t.Context()))
				}
				server.Settle()
				assert.Equal(t, 1, count("", since), "it was created, once")
				for _, other := range kind.others {
					assert.Zero(t, count(other, since), "another %s", other)
				}
				if !strings.HasPrefix(name, "Roles") {
					assert.Zero(t, count("", server.Clock().Now().Add(time.Hour)), "only what changed since")
				}
				if kind.create(t.Context()) == nil {
					server.Settle()
					assert.Equal(t, 2, count("", since), "what looks alike is not told apart")
				}
			})
		})
	}
}

// TestEveryFindCreatedHasARow checks that createdKinds is complete.
func TestEveryFindCreatedHasARow(t *testing.T) {
	t.Parallel()
	rows := createdKinds(nil, someFirm())
	for area := range reflect.TypeFor[practice.Client]().Fields() {
		if !area.IsExported() {
			continue
		}
		for method := range area.Type.Methods() {
			if strings.HasPrefix(method.Name, "FindCreated") {
				assert.Contains(t, rows, area.Name+"."+method.Name)
			}
		}
	}
}

// TestARecordThatCannotBeReadEndsEveryFindCreated checks that a record that
// cannot be decoded is an error, because it may be the wanted one.
func TestARecordThatCannotBeReadEndsEveryFindCreated(t *testing.T) {
	t.Parallel()
	client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return `{"size":1,"value":["x"],"roles":["x"]}` }})
	for name, kind := range createdKinds(client, someFirm()) {
		found, err := kind.find(t.Context(), "", testkit.SomeTime)
		require.Error(t, err, name)
		assert.Empty(t, found, name)
	}
}

// someFirm returns a firm whose ids belong to no record.
func someFirm() practicetest.Firm {
	id := testkit.SomeID
	return practicetest.Firm{MatterID: id, BankAccountID: id, ContactIDs: []string{id, id, id}, StaffIDs: []string{id, id}, MatterIDs: []string{id, id}}
}

// TestATimeWithoutAZoneMayBeTheOneOfTheCreate checks records whose time is that
// of a clock behind UTC.
func TestATimeWithoutAZoneMayBeTheOneOfTheCreate(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 3, 9, 55, 0, 0, time.UTC)
	for at, found := range map[string]int{
		"2026-11-03T10:00:00Z": 1, "2026-11-03T09:00:00Z": 0, "2026-11-03T05:00:00-05:00": 1, "2026-11-03T05:00:00": 1, "2026-11-02T21:00:00": 0,
	} {
		answer := testkit.Page([]string{`{"id":"1","name":"a","fileExtension":".txt","dateCreated":"` + at + `","title":"a","lastUpdated":"` + at + `"}`}, "size", "1")
		client := testkit.ScriptedClient(t, &testkit.Scripted{Pages: func(url.Values) string { return answer }})
		files, err := client.Documents.FindCreatedFile(t.Context(), askedID, models.FileCreate{FileName: "a.txt"}, since)
		require.NoError(t, err)
		assert.Len(t, files, found, at)
		memos, err := client.Memos.FindCreated(t.Context(), askedID, models.MemoWrite{Title: "a"}, since)
		require.NoError(t, err)
		assert.Len(t, memos, found, at)
	}
}
