package main

import (
	"context"
	"fmt"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/setup"
	"github.com/practicesdk/practice-go/examples/internal/term"
)

const (
	shownFiles = 4  // of each folder
	maxFolders = 50 // each costs a request
	maxDepth   = 10
)

// documents prints the folder tree of a matter.
func documents(ctx context.Context, s *show) error {
	matter := s.ID("MATTER_ID")
	if matter == "" {
		s.Line("Left out: set %s to the matter to show.", setup.Variable("MATTER_ID"))
		return nil
	}
	walk := &folderWalk{show: s, matter: matter}
	root := &term.Tree{Text: "Matter " + matter}
	if err := walk.into(ctx, root, "", 1); err != nil {
		return err
	}
	s.Tree(root)
	s.Blank()
	s.Line("%s in %s.", term.Count(walk.files, "file"), term.Count(walk.folders, "folder"))
	if walk.cut {
		s.Note("Only the first %d folders, at most %d deep, were opened.", maxFolders, maxDepth)
	}
	return nil
}

// folderWalk goes through folders below folders.
type folderWalk struct {
	*show
	matter         string
	folders, files int
	cut            bool
}

func (w *folderWalk) into(ctx context.Context, node *term.Tree, folder string, depth int) error {
	if depth > maxDepth || w.folders >= maxFolders {
		w.cut = true
		return nil
	}
	files := 0
	for entry, err := range w.Client.Documents.Entries(ctx, w.matter, folder) {
		switch {
		case err != nil:
			return err
		case entry.Folder != nil:
			w.folders++
			if err := w.into(ctx, node.Add(entry.Name()+"/"), entry.ID(), depth+1); err != nil {
				return err
			}
		default:
			if files++; files <= shownFiles {
				node.Add(entry.Name() + size(entry))
			}
		}
	}
	w.files += files
	if hidden := files - shownFiles; hidden > 0 {
		node.Add("… and " + term.Count(hidden, "more file"))
	}
	return nil
}

func size(entry practice.Entry) string {
	bytes, known := entry.File.SizeBytes.Get()
	if !known {
		return ""
	}
	return fmt.Sprintf("  (%d bytes)", bytes)
}
