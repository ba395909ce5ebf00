// Backup brings all documents of a matter into a local directory, and the next
// time only what has changed.
//
//	go run ./examples/backup [-matter ID] [-folder ID] [-slow] [directory]
//
// Without any variable it starts the embedded service, and without a directory
// it shows both: a first backup, some work on the matter, and a second backup.
// With PRACTICE_BASE_URL and the other variables of docs/getting-started.md it
// reads from that service, the matter of -matter or PRACTICE_MATTER_ID, and
// writes nothing to it.
//
// Ctrl-C ends it at any moment. The same command goes on, also inside of a
// file.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/dirs"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/mirror"
)

func main() {
	os.Exit(program.Run("backup", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: backup [-matter ID] [-folder ID] [-slow] [directory]
  -matter ID  matter to back up; else PRACTICE_MATTER_ID
  -folder ID  a folder of the matter; else all of it
  -slow       512 KiB a second, to have something to interrupt
`

// backup is the program with its settings.
type backup struct {
	*term.Printer
	*setup.Service
	dirs.Options
	made bool // the directory is for this run only
}

// run makes the backup. More settings of the client are for tests.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string, more ...practice.ClientOption) (err error) {
	options, err := dirs.Parse("backup", args)
	if err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-backup", Client: append(options.Settings(), more...)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	b := &backup{Printer: term.New(stdout, env), Service: service, Options: options}
	if err := b.Complete(service); err != nil {
		return err
	}
	if b.Dir == "" {
		dir, err := os.MkdirTemp("", "practice-backup-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		b.Dir, b.made = dir, true
	}
	return b.run(ctx)
}

func (b *backup) run(ctx context.Context) error {
	b.greet()
	if err := b.receive(ctx); err != nil {
		return err
	}
	if b.made {
		b.Heading("Some work on the matter")
		if err := b.work(ctx); err != nil {
			return err
		}
		b.Heading("The same again")
		if err := b.receive(ctx); err != nil {
			return err
		}
	}
	return b.Err()
}

func (b *backup) greet() {
	b.Title("Backup to %s", b.Dir)
	if b.Embedded {
		b.Line("Of a matter of an embedded service, at %s.", b.BaseURL)
	} else {
		b.Line("Of matter %s of %s, signed in by %s.", b.MatterID, b.BaseURL, b.SignIn)
	}
	if b.made {
		b.Note("The directory will be removed. Name one to keep the backup.")
	}
	b.Blank()
}

func (b *backup) receive(ctx context.Context) error {
	began := time.Now()
	show := dirs.New(b.Printer, "backup")
	err := mirror.Pull(ctx, b.Client, b.MatterID, b.Dir, mirror.Options{
		FolderID: b.FolderID, Progress: show.Progress, Result: show.Result,
	})
	show.End()
	if err != nil {
		dirs.GoOn(b.Printer, err, b.again(), b.Embedded)
		return err
	}
	b.Good("All of it is here after %s.", time.Since(began).Round(time.Millisecond))
	return b.Err()
}

// again returns the command that goes on.
func (b *backup) again() string {
	options := b.Options
	if b.made {
		options.Dir = ""
	}
	return options.Command("backup")
}
