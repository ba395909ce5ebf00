package main

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/examples/internal/term"
)

const shown = 12 // changes of a round by name

func (a *app) greet() {
	a.Title("Copy of the calendar in %s", a.file)
	if a.Embedded {
		a.Line("Of an embedded service, at %s.", a.BaseURL)
	} else {
		a.Line("Of %s, signed in by %s.", a.BaseURL, a.SignIn)
	}
	if a.made {
		a.Note("The file will be removed. Name one to keep the copy.")
	}
}

// round runs a round and returns its changes.
func (a *app) round(ctx context.Context, title string, full bool) error {
	a.Heading("%s", title)
	r, err := a.sync.round(ctx, full)
	if err != nil {
		if !errors.Is(err, errAnother) {
			a.Bad("It is not complete. What was stored stays, and the same command goes on.")
		}
		return err
	}
	if r.resumed {
		a.Line("An earlier run was cut. This one went on.")
	}
	if r.full {
		a.Line("The whole calendar was read.")
	} else {
		a.Line("What was updated since %s was read.", r.since.Time().Format(time.RFC3339))
	}
	return a.tell(ctx, r)
}

func (a *app) tell(ctx context.Context, r round) error {
	list, present, unchanged, err := a.sync.copy.changes(ctx, r)
	if err != nil {
		return err
	}
	count := map[kind]int{}
	for _, one := range list {
		count[one.kind]++
	}
	if n := len(list); n > 0 && n <= shown {
		a.Blank()
		table := &term.Table{Columns: []term.Column{{Name: "What"}, {Name: "Subject"}, {Name: "Begins"}, {Name: "Zone"}}}
		for _, one := range list {
			table.Add(string(one.kind), one.subject, one.starts, one.zone)
		}
		a.Table(table)
	}
	a.Blank()
	a.Good("%d new, %d changed, %d deleted, %d unchanged: %s in the copy.",
		count[kindNew], count[kindChanged], count[kindDeleted], unchanged, term.Count(present, "event"))
	return a.Err()
}
