// Mirror keeps a local directory and a matter's documents in sync.
//
//	go run ./examples/mirror [-only down|up] [-dry-run] [-matter ID] [directory]
//
// A round downloads changes from the service and then uploads local changes.
// For a backup or an upload, -only limits the round to one direction. If a
// document changed on both sides, both versions are kept: the service's version
// under its name, and the local version beside it. Nothing is deleted on either
// side; items that are gone are reported.
//
// You can interrupt it at any time, and the same command continues. Two runs in
// one directory exclude each other.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

func main() {
	log.SetFlags(0)
	var t task
	flag.StringVar(&t.matterID, "matter", os.Getenv("PRACTICE_MATTER_ID"), "`ID` of the matter")
	flag.StringVar(&t.only, "only", "", "one direction: `down or up`")
	flag.BoolVar(&t.dryRun, "dry-run", false, "only print what would be done")
	flag.Parse()
	t.dir = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := t.run(ctx); err != nil {
		log.Fatalf("%s\nThe same command does the rest.", plain(err.Error()))
	}
}

// run makes a round, or demonstrates some if there is no directory.
func (t *task) run(ctx context.Context) error {
	client, demo, err := connect()
	if err != nil {
		return err
	}
	t.client = client
	if demo != nil && t.matterID == "" {
		t.matterID = demo.Firm().MatterID
	}
	switch {
	case t.matterID == "":
		return errors.New("which matter? Name it with -matter or PRACTICE_MATTER_ID")
	case t.dir != "":
		return t.round(ctx)
	case demo == nil:
		return errors.New("name the directory")
	}
	return t.demonstrate(ctx, demo)
}

// task holds the options of a mirror.
type task struct {
	client        *practice.Client
	matterID, dir string
	only          string // down, up, or empty for both
	dryRun        bool
}

// round runs a mirror in both directions, which share the manifest in the
// directory. A file that could not be received is not sent.
func (t *task) round(ctx context.Context) error {
	for _, direction := range []struct {
		name, title string
		follow      func(context.Context, *practice.Client, string, string, mirror.Options, ...practice.CallOption) error
	}{
		{"down", "From the service", mirror.Pull},
		{"up", "To the service", mirror.Push},
	} {
		if t.only != "" && t.only != direction.name {
			continue
		}
		found := results{}
		err := direction.follow(ctx, t.client, t.matterID, t.dir, mirror.Options{
			Exclude: mirror.SystemFiles, DryRun: t.dryRun, Result: found.add,
		})
		fmt.Printf("\n%s\n", direction.title)
		found.print()
		if err != nil {
			return err
		}
	}
	return nil
}

// results holds the paths of the files by action.
type results map[mirror.Action][]string

func (r results) add(result mirror.Result) {
	path := plain(result.Path)
	if result.Err != nil {
		path += ": " + plain(result.Err.Error())
	}
	r[result.Action] = append(r[result.Action], path)
}

func (r results) print() {
	const shown = 4
	for _, action := range slices.Sorted(maps.Keys(r)) {
		paths := r[action]
		slices.Sort(paths)
		fmt.Printf("  %d %s\n", len(paths), action)
		if action == mirror.Kept {
			continue // unchanged
		}
		for _, path := range paths[:min(shown, len(paths))] {
			fmt.Printf("    %s\n", path)
		}
		if more := len(paths) - shown; more > 0 {
			fmt.Printf("    and %d more\n", more)
		}
	}
}

// demonstrate makes a first round, one after changes on both sides, and one
// without changes.
func (t *task) demonstrate(ctx context.Context, service *practicetest.Server) (err error) {
	if t.dir, err = os.MkdirTemp("", "practice-mirror-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(t.dir)) }()
	fmt.Println("A matter of an embedded service, and a directory that will be removed.")
	if err := t.round(ctx); err != nil {
		return err
	}
	there, here, both := "Letters/Letter 01.pdf", "Letters/Letter 02.pdf", "1. Agenda.docx"
	for entry, err := range t.client.Documents.Walk(ctx, t.matterID, practice.WalkOptions{}) {
		if err != nil {
			return err
		}
		if path := entry.Path(); path == there || path == both {
			service.SetFileContent(entry.ID(), []byte("The version of the service.\n"))
		}
	}
	for _, name := range []string{here, both, "Note.txt"} {
		if err := os.WriteFile(filepath.Join(t.dir, filepath.FromSlash(name)), []byte("The local version.\n"), 0o600); err != nil {
			return err
		}
	}
	fmt.Printf("\nSomebody changes in the service: %s, %s\nand here: %s, %s, Note.txt\n", there, both, here, both)
	if err := t.round(ctx); err != nil {
		return err
	}
	fmt.Println("\nOnce more")
	if err := t.round(ctx); err != nil {
		return err
	}
	fmt.Println("\nNext: name a directory, and set PRACTICE_BASE_URL and the other variables.")
	return nil
}
