// Event-sync keeps a copy of the firm's calendar in an SQLite file, and after
// the first time reads only what has changed.
//
//	go run ./examples/event-sync [-full] [-prune] [-page N] [file]
//
// Without any variable it starts the embedded service, and without a file it
// shows three rounds: all of the calendar, what people changed meanwhile, and a
// full round that finds what vanished. With PRACTICE_BASE_URL and the other
// variables of docs/getting-started.md it makes one round over the calendar of
// that service, and writes nothing to it.
//
// Kill it at any moment. The same command goes on: a page of events is stored
// together with the list of what it changed, or not at all, and a round moves
// its mark only at its end.
//
// How deletions are found. A deleted event stays in the list and says so, with
// isDeleted or as the type DeletedOccurrence, and comes like any other change.
// Two things are stated nowhere: that a deletion counts as an update, and how
// long the service lists what is deleted. So a full round, once a day or with
// -full, also takes an event as deleted when two complete walks in a row do not
// list it.
//
// One run works with a file at a time: a second one is refused at once. The
// file knows whose calendar it is, by the address of the service and the id of
// the firm, and takes no other.
//
// A mark is the moment up to which a copy is complete. UpdatedSince compares
// the time that the service gave an event, so a mark is the service's own time,
// read before the walk. The next round begins an overlap earlier, because an
// update may become visible after its time. An event that the overlap brings
// again is compared and changes nothing. A mark that lies ahead of the
// service's clock is not trusted, and the round is a full one.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

func main() {
	os.Exit(program.Run("event-sync", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

// app is the program with its settings.
type app struct {
	*term.Printer
	*setup.Service
	options
	sync *syncer
	made bool // the file is for this run only
}

// run updates the copy. opts are for tests.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string, more ...practice.ClientOption) (err error) {
	options, err := parse(args)
	if err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-event-sync", Client: more})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	a := &app{Printer: term.New(stdout, env), Service: service, options: options}
	if err := a.complete(service.Embedded); err != nil {
		return err
	}
	if a.file == "" {
		dir, err := os.MkdirTemp("", "practice-event-sync-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		a.file, a.made = filepath.Join(dir, "calendar.db"), true
	}
	copied, err := openCopy(ctx, a.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, copied.Close()) }()
	a.sync = &syncer{copy: copied, client: service.Client, service: service.BaseURL, page: a.page, prune: a.prune}
	if service.Embedded {
		a.sync.service = "embedded" // it is the same firm at another address each time
	}
	return a.run(ctx)
}

func (a *app) run(ctx context.Context) error {
	a.greet()
	if err := a.round(ctx, "One round", a.full); err != nil || !a.made {
		return err
	}
	a.Heading("Meanwhile, in the calendar")
	if err := a.work(ctx, a.Server()); err != nil {
		return err
	}
	if err := a.round(ctx, "Another round", false); err != nil {
		return err
	}
	return a.round(ctx, "A full round", true)
}
