// Keep-a-copy keeps a copy of a firm's records in a database, and after the
// first time asks only for what has changed.
//
//	go run ./examples/keep-a-copy [-full] [copy.db]
//
// Kill it at any moment; the same command goes on. Start it as often as the
// copy shall be fresh. It writes nothing to the service. docs/keeping-a-copy.md
// says why it does what it does. Without a file it shows some rounds against
// the embedded service.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// kind is a list of the service that is copied.
type kind struct {
	name      string
	filtered  bool // the list can be asked for what has changed
	ofMatters bool // there is a list for each matter
	list      func(ctx context.Context, client *practice.Client, matterID string, since time.Time) iter.Seq2[record, error]
}

// record is a record as the copy stores it.
type record struct {
	id      string
	version models.Ticks // of its last change; 0 if the service does not say
	deleted bool
	text    string // all of it, as JSON
}

// kinds returns what is copied, the matters before what is listed below them.
// Each deletion shows in one of four ways: a member, a status, a person who has
// left, or a record that no list has any more.
func kinds() []kind {
	return []kind{
		{"matters", true, false, func(ctx context.Context, client *practice.Client, _ string, since time.Time) iter.Seq2[record, error] {
			options := practice.MatterListOptions{Type: models.MatterListTypeMattersLeads, UpdatedSince: since} // else without leads
			return records(client.Matters.All(ctx, options), func(m *models.Matter) record {
				changed, _ := models.ParseTicks(m.VersionID) // it has no LastUpdated
				return record{id: m.ID, version: changed, deleted: m.Status == models.MatterStatusDeleted}
			})
		}},
		{"contacts", true, false, func(ctx context.Context, client *practice.Client, _ string, since time.Time) iter.Seq2[record, error] {
			return records(client.Contacts.All(ctx, practice.ContactListOptions{UpdatedSince: since}), func(c *models.Contact) record {
				return record{id: c.ID, version: c.LastUpdated, deleted: c.IsDeleted.Or(false)}
			})
		}},
		{"events", true, false, func(ctx context.Context, client *practice.Client, _ string, since time.Time) iter.Seq2[record, error] {
			options := practice.EventListOptions{From: time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), UpdatedSince: since} // else from now on
			return records(client.Events.All(ctx, options), func(e *models.CalendarEvent) record {
				deleted := e.IsDeleted.Or(false) || e.Type == models.CalendarEventTypeDeletedOccurrence ||
					e.EventType.Type() == models.CalendarEventTypeDeletedOccurrence // the older member
				return record{id: e.ID, version: ticksOf(e.LastUpdated), deleted: deleted}
			})
		}},
		{"staff", false, false, func(ctx context.Context, client *practice.Client, _ string, _ time.Time) iter.Seq2[record, error] {
			return records(client.Staff.All(ctx, practice.StaffListOptions{}), func(s *models.StaffMember) record {
				return record{id: s.ID, deleted: s.Former.Or(false)}
			})
		}},
		{"fees", true, true, func(ctx context.Context, client *practice.Client, matterID string, since time.Time) iter.Seq2[record, error] {
			return records(client.Fees.All(ctx, matterID, practice.FeeListOptions{UpdatedSince: since}), func(f *models.Fee) record {
				changed, _ := models.ParseTicks(f.VersionID)
				return record{id: f.ID, version: changed, deleted: f.IsDeleted.Or(false)}
			})
		}},
		{"memos", false, true, func(ctx context.Context, client *practice.Client, matterID string, _ time.Time) iter.Seq2[record, error] {
			return records(client.Memos.All(ctx, matterID, practice.MemoListOptions{}), func(m *models.Memo) record {
				return record{id: m.ID, version: ticksOf(m.LastUpdated), deleted: m.IsDeleted.Or(false)}
			})
		}},
	}
}

// records returns what the copy stores of the records of a walk.
func records[T any](walk iter.Seq2[T, error], describe func(*T) record) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for one, err := range walk {
			if err != nil {
				yield(record{}, err) // a record that cannot be read, too: the round is not complete without it
				return
			}
			r := describe(&one)
			text, err := json.Marshal(&one)
			r.text = string(text)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// ticksOf returns the time of a change, and 0 where there is none.
func ticksOf(at models.DateTime) models.Ticks {
	ticks, _ := models.TicksOf(at.Time())
	return ticks
}

func main() {
	log.SetFlags(0)
	full := flag.Bool("full", false, "read every list from its beginning to its end")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, flag.Arg(0), *full); err != nil {
		log.Fatalf("%v\nWhat was stored stays, and the same command goes on.", err)
	}
}

// run makes a round, or without a file shows some.
func run(ctx context.Context, file string, full bool) (err error) {
	client, demo, err := connect()
	if err != nil {
		return err
	}
	if file == "" {
		if demo == nil {
			return errors.New("which file shall hold the copy?")
		}
		dir, err := os.MkdirTemp("", "practice-copy-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		file = filepath.Join(dir, "copy.db")
	}
	c, err := openCopy(ctx, client, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.db.Close()) }()
	if demo == nil {
		return c.show(ctx, full)
	}
	return demonstrate(ctx, c, demo)
}

// show makes a round and prints what it found.
func (c *copier) show(ctx context.Context, full bool) error {
	fmt.Printf("\n%-10s %8s %8s %8s %8s\n", "", "new", "changed", "deleted", "in all")
	found, err := c.round(ctx, full)
	if err != nil {
		return err
	}
	for _, k := range c.kinds {
		of := found[k.name]
		fmt.Printf("%-10s %8d %8d %8d %8d\n", k.name, of.added, of.changed, of.deleted, of.present)
	}
	return nil
}

// demonstrate makes rounds while people change the records of the embedded
// service.
func demonstrate(ctx context.Context, c *copier, server *practicetest.Server) error {
	fmt.Print("The first round reads everything.")
	if err := c.show(ctx, false); err != nil {
		return err
	}
	fmt.Print("\nA fee is added, an event is deleted, and one vanishes from every list.\nA round finds the first two.")
	server.AddFee(server.Firm().MatterID, models.FeeWrite{Subject: "Advice", FeeDate: models.DateOf(time.Now()), Rate: models.MustDecimal("385.50")})
	events, err := practice.Collect(c.client.Events.All(ctx, practice.EventListOptions{ExcludeDeleted: true}))
	switch {
	case err != nil:
		return err
	case len(events) < 2:
		return errors.New("the calendar has too few events")
	}
	server.DeleteEvent(events[0].ID)
	server.ForgetEvent(events[1].ID)
	server.Settle()
	if err := c.show(ctx, false); err != nil {
		return err
	}
	fmt.Print("\nThe second full round in a row that does not have an event finds the third.")
	if _, err := c.round(ctx, true); err != nil {
		return err
	}
	if err := c.show(ctx, true); err != nil {
		return err
	}
	fmt.Println("\nNext: name a file, set PRACTICE_BASE_URL and the other variables, and repeat it\nevery few minutes. Deleted records stay in the copy, marked.")
	return nil
}
