// Keep-a-copy keeps a copy of a firm's records in a database. After the first
// run it requests only changed records.
//
//	go run ./examples/keep-a-copy [-full] [copy.db]
//
// It can be killed at any time; the same command continues. Run it as often as
// the copy must be updated. It writes nothing to the service.
// docs/keeping-a-copy.md explains the design. Without a file it demonstrates
// some rounds with the embedded service.
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
	filtered  bool // the list has a change filter
	ofMatters bool // there is one list for each matter
	list      func(ctx context.Context, client *practice.Client, matterID string, since time.Time) iter.Seq2[record, error]
}

// record is a record in the form in which the copy stores it.
type record struct {
	id      string
	version models.Ticks // time of the last change; 0 if unknown
	deleted bool
	text    string // the whole record as JSON
}

// kinds returns the lists to copy, matters before the lists below them. A
// deletion shows in one of four ways: a member, a status, a person who has
// left, or a record that is no longer in any list.
func kinds() []kind {
	return []kind{
		{"matters", true, false, func(ctx context.Context, client *practice.Client, _ string, since time.Time) iter.Seq2[record, error] {
			options := practice.MatterListOptions{Type: models.MatterListTypeMattersLeads, UpdatedSince: since} // by default leads are excluded
			return records(client.Matters.All(ctx, options), func(m *models.Matter) record {
				changed, _ := models.ParseTicks(m.VersionID) // there is no LastUpdated
				return record{id: m.ID, version: changed, deleted: m.Status == models.MatterStatusDeleted}
			})
		}},
		{"contacts", true, false, func(ctx context.Context, client *practice.Client, _ string, since time.Time) iter.Seq2[record, error] {
			return records(client.Contacts.All(ctx, practice.ContactListOptions{UpdatedSince: since}), func(c *models.Contact) record {
				return record{id: c.ID, version: c.LastUpdated, deleted: c.IsDeleted.Or(false)}
			})
		}},
		{"events", true, false, func(ctx context.Context, client *practice.Client, _ string, since time.Time) iter.Seq2[record, error] {
			options := practice.EventListOptions{From: time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC), UpdatedSince: since} // by default it begins now
			return records(client.Events.All(ctx, options), func(e *models.CalendarEvent) record {
				deleted := e.IsDeleted.Or(false) || e.Type == models.CalendarEventTypeDeletedOccurrence ||
					e.EventType.Type() == models.CalendarEventTypeDeletedOccurrence // an older member with the same meaning
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

// records returns the records of a walk in the form that the copy stores.
func records[T any](walk iter.Seq2[T, error], describe func(*T) record) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		for one, err := range walk {
			if err != nil {
				yield(record{}, err) // includes records that cannot be decoded, without which the round is incomplete
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

// ticksOf returns the time of a change, or 0 if absent.
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

// run makes a round, or demonstrates some if there is no file.
func run(ctx context.Context, file string, full bool) (err error) {
	client, demo, err := connect()
	if err != nil {
		return err
	}
	if file == "" {
		if demo == nil {
			return errors.New("name the file for the copy")
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

// show makes a round and prints its counts.
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

// demonstrate makes rounds while the records of the embedded service change.
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
