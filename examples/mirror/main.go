// Mirror keeps a local directory and the documents of a matter alike, in both
// directions.
//
//	go run ./examples/mirror [-matter ID] [-folder ID] [directory]
//
// Without any variable it starts the embedded service, and without a directory
// it shows three rounds: a first one, one after work on both sides, and one
// that has nothing to do. With PRACTICE_BASE_URL and the other variables of
// docs/getting-started.md it makes one round with that service, and the matter
// of -matter or PRACTICE_MATTER_ID.
//
// A round brings what is new in the service, and then sends what is new here. A
// document that changed on both sides is kept twice: the version of the service
// under its name, and the local one beside it. Nothing is deleted on either
// side; what is gone is reported.
//
// Ctrl-C or a kill ends it at any moment. The same command goes on. Two runs in
// one directory exclude each other.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/dirs"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
	"github.com/practicesdk/practice-go/mirror"
)

const usage = `usage: mirror [-matter ID] [-folder ID] [directory]
  -matter ID  matter to mirror; else PRACTICE_MATTER_ID
  -folder ID  a folder of the matter; else all of it
`

func main() {
	os.Exit(program.Run("mirror", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
		return run(ctx, os.Args[1:], os.Stdout, os.Getenv)
	}))
}

func run(ctx context.Context, args []string, stdout io.Writer, env func(string) string) (err error) {
	options, err := dirs.Parse("mirror", args)
	if err != nil {
		return err
	}
	service, err := setup.Open(env, setup.Options{Program: "practice-mirror"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, service.Close()) }()
	if err := options.Complete(service); err != nil {
		return err
	}
	p := term.New(stdout, env)
	if options.Dir != "" {
		return errors.Join(round(ctx, service.Client, options, p), p.Err())
	}
	dir, err := os.MkdirTemp("", "practice-mirror-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	options.Dir = dir
	return errors.Join(demonstrate(ctx, service, options, p), p.Err())
}

// round is all that a mirror takes: both directions share the manifest in the
// directory.
func round(ctx context.Context, client *practice.Client, o dirs.Options, p *term.Printer) error {
	p.Heading("From the service")
	show := dirs.New(p, "down")
	err := mirror.Pull(ctx, client, o.MatterID, o.Dir, mirror.Options{
		FolderID: o.FolderID, Exclude: mirror.SystemFiles, Progress: show.Progress, Result: show.Result,
	})
	show.End()
	if err == nil {
		p.Heading("To the service")
		show = dirs.New(p, "up")
		err = mirror.Push(ctx, client, o.MatterID, o.Dir, mirror.Options{
			FolderID: o.FolderID, Exclude: mirror.SystemFiles, Progress: show.Progress, Result: show.Result,
		})
		show.End()
	}
	if err != nil {
		dirs.GoOn(p, err, o.Command("mirror"), false)
	}
	return err
}

// demonstrate makes three rounds with the embedded service.
func demonstrate(ctx context.Context, service *setup.Service, o dirs.Options, p *term.Printer) error {
	p.Title("Mirror in %s", o.Dir)
	if err := round(ctx, service.Client, o, p); err != nil {
		return err
	}
	p.Blank()
	p.Title("Work on both sides")
	if err := work(ctx, service, o, p); err != nil {
		return err
	}
	if err := round(ctx, service.Client, o, p); err != nil {
		return err
	}
	p.Blank()
	p.Title("Once more")
	return round(ctx, service.Client, o, p)
}

// work changes one document in the service, another one here, and a third one
// on both sides.
func work(ctx context.Context, service *setup.Service, o dirs.Options, p *term.Printer) error {
	there, here, both := "Letters/Letter 01.pdf", "Letters/Letter 02.pdf", "1. Agenda.docx"
	for entry, err := range service.Client.Documents.Walk(ctx, o.MatterID, practice.WalkOptions{}) {
		if err != nil {
			return err
		}
		if path := entry.Path(); path == there || path == both {
			service.Server().SetFileContent(entry.ID(), []byte("The version of the service.\n"))
		}
	}
	for _, name := range []string{here, both, "Note.txt"} {
		if err := os.WriteFile(filepath.Join(o.Dir, filepath.FromSlash(name)), []byte(strings.Repeat("Local. ", 9)), 0o600); err != nil {
			return fmt.Errorf("work: %w", err)
		}
	}
	p.Line("Changed in the service: %s, %s", there, both)
	p.Line("Changed or made here: %s, %s, Note.txt", here, both)
	return nil
}
