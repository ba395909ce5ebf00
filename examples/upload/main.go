// Upload sends a directory into a matter, with one bar for all of its files.
//
//	go run ./examples/upload [-matter ID] [-folder ID] [-slow] [directory]
//
// Without any variable it starts the embedded service, and without a directory
// it makes one up. With PRACTICE_BASE_URL and the other variables of
// docs/getting-started.md it writes to that service, into the matter of -matter
// or PRACTICE_MATTER_ID.
//
// Ctrl-C ends it between two bytes. The same command then sends what is
// missing: files that had arrived are left alone, and no file is made twice.
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
	os.Exit(program.Run("upload", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

const usage = `usage: upload [-matter ID] [-folder ID] [-slow] [directory]
  -matter ID  matter to upload into; else PRACTICE_MATTER_ID
  -folder ID  folder of the matter; else its root
  -slow       512 KiB a second, to have something to interrupt
`

// upload is the program with its settings.
type upload struct {
	*term.Printer
	*setup.Service
	dirs.Options
	made bool // the directory was made up
}

// run uploads. More settings of the client are for tests.
func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string, more ...practice.ClientOption) (err error) {
	options, err := dirs.Parse("upload", args)
	if err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-upload", Client: append(options.Settings(), more...)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	u := &upload{Printer: term.New(stdout, env), Service: service, Options: options}
	if err := u.Complete(service); err != nil {
		return err
	}
	if u.Dir == "" {
		dir, err := os.MkdirTemp("", "practice-sample-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		if err := makeUp(dir); err != nil {
			return err
		}
		u.Dir, u.made = dir, true
	}
	return u.run(ctx)
}

func (u *upload) run(ctx context.Context) error {
	u.greet()
	if err := u.send(ctx); err != nil {
		return err
	}
	if u.made {
		u.Heading("The same again")
		if err := u.send(ctx); err != nil {
			return err
		}
		u.Blank()
		u.Note("Next: go run ./examples/backup brings a matter to disk.")
	}
	return u.Err()
}

func (u *upload) greet() {
	u.Title("Upload of %s", u.Dir)
	if u.Embedded {
		u.Line("Into a matter of an embedded service, at %s.", u.BaseURL)
	} else {
		u.Line("Into matter %s of %s, signed in by %s.", u.MatterID, u.BaseURL, u.SignIn)
	}
	if u.made {
		u.Note("The directory was made up. Name one to upload it.")
	}
	u.Blank()
}

func (u *upload) send(ctx context.Context) error {
	began := time.Now()
	show := dirs.New(u.Printer, "upload")
	err := mirror.Push(ctx, u.Client, u.MatterID, u.Dir, mirror.Options{
		FolderID: u.FolderID, Progress: show.Progress, Result: show.Result,
	})
	show.End()
	if err != nil {
		dirs.GoOn(u.Printer, err, u.again(), u.Embedded)
		return err
	}
	u.Good("All of it is there after %s.", time.Since(began).Round(time.Millisecond))
	return u.Err()
}

// again returns the command that goes on. A directory that was made up is gone
// then.
func (u *upload) again() string {
	options := u.Options
	if u.made {
		options.Dir = ""
	}
	return options.Command("upload")
}
