// Export writes the staff and the calendar of a firm to files of
// comma-separated values, for a spreadsheet or another system.
//
//	go run ./examples/export [-from 2026-01-01] [directory]
//
// Without any variable it starts the embedded service, and without a directory
// it writes to one that it removes. With PRACTICE_BASE_URL and the other
// variables of docs/getting-started.md it reads from that service, and writes
// nothing to it.
//
// A file is there with all of its records or not at all; an older one stays
// until then. A record that cannot be read is an error, and the others are in
// the file. Events have their local time and the same in UTC. To keep a copy
// that knows of changes and deletions, see examples/event-sync.
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/models"
)

const usage = `usage: export [-from YYYY-MM-DD] [directory]
  -from YYYY-MM-DD  first day of the calendar, in UTC; else the one a year ago
`

func main() {
	os.Exit(program.Run("export", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	day := flags.String("from", time.Now().UTC().AddDate(-1, 0, 0).Format(time.DateOnly), "")
	if err := program.Parse(flags, args, 1); err != nil {
		return err
	}
	from, err := time.Parse(time.DateOnly, *day)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", program.ErrUsage, err)
	case flags.NArg() == 0 && env(setup.Variable("BASE_URL")) != "":
		return fmt.Errorf("%w: which directory?", program.ErrUsage)
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-export"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	dir := flags.Arg(0)
	if dir == "" {
		if dir, err = os.MkdirTemp("", "practice-export-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	// All pages begin at the same time, and the prefetch reads the next ones
	// meanwhile.
	events := practice.EventListOptions{From: from, ExcludeDeleted: true}
	p := term.New(stdout, env)
	return errors.Join(
		write(p, dir, "staff.csv", staffHeader, service.Client.Staff.All(ctx, practice.StaffListOptions{}), staffRow),
		write(p, dir, "calendar.csv", eventHeader, service.Client.Events.All(ctx, events, practice.WithPrefetch(4)), eventRow),
		p.Err())
}

// write writes records to a file, under a temporary name until it is complete.
func write[R any](p *term.Printer, dir, name string, header []string, records iter.Seq2[R, error], row func(*R) ([]string, error)) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, "."+name+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // there is none after the renaming
	out := csv.NewWriter(file)
	n, faults, err := fill(out, header, records, row)
	out.Flush()
	if err = errors.Join(err, out.Error(), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	p.Line("%s: %s", name, term.Count(n, "record"))
	for i, fault := range faults {
		faults[i] = fmt.Errorf("%s: %w", name, fault)
	}
	return errors.Join(append(faults, os.Rename(file.Name(), filepath.Join(dir, name)))...)
}

// fill writes all records and counts them. Those with a fault do not hinder the
// others.
func fill[R any](out *csv.Writer, header []string, records iter.Seq2[R, error], row func(*R) ([]string, error)) (n int, faults []error, err error) {
	if err := out.Write(header); err != nil {
		return 0, nil, err
	}
	for record, err := range records {
		if _, unreadable := errors.AsType[*practice.RecordError](err); unreadable {
			faults = append(faults, err)
			continue
		}
		if err != nil {
			return n, faults, err
		}
		cells, fault := row(&record)
		if fault != nil {
			faults = append(faults, fault)
		}
		for i, cell := range cells {
			cells[i] = plain(cell)
		}
		if err := out.Write(cells); err != nil {
			return n, faults, err
		}
		n++
	}
	return n, faults, nil
}

// plain prevents a spreadsheet from reading a text as a formula.
func plain(text string) string {
	if text = term.Clean(text); text != "" && strings.ContainsAny(text[:1], "=+-@") {
		return "'" + text
	}
	return text
}

var staffHeader = []string{"id", "first name", "last name", "email", "role", "rate", "former"}

func staffRow(s *models.StaffMember) ([]string, error) {
	return []string{s.ID, s.FirstName, s.LastName, s.Email, s.Role, s.Rate.String(), strconv.FormatBool(s.Former.Or(false))}, nil
}

var eventHeader = []string{"id", "matter", "subject", "location", "start", "end", "zone", "start in UTC", "end in UTC"}

func eventRow(e *models.CalendarEvent) ([]string, error) {
	row := []string{e.ID, e.Matter.TargetID(), e.Subject, e.Location, e.StartTime.String(), e.EndTime.String(), e.TimeZone}
	var faults []error
	for _, local := range []models.LocalDateTime{e.StartTime, e.EndTime} {
		instant, err := local.In(e.TimeZone)
		if err != nil { // the clocks left that hour out or showed it twice, or nobody knows the zone
			faults, row = append(faults, fmt.Errorf("event %s: %w", e.ID, err)), append(row, "")
			continue
		}
		row = append(row, instant.UTC().Format(time.RFC3339))
	}
	return row, errors.Join(faults...)
}
