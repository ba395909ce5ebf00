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
)

// documents prints the folder tree of a matter.
func documents(ctx context.Context, s *show) error {
	matter := s.ID("MATTER_ID")
	if matter == "" {
		s.Line("Left out: set %s to the matter to show.", setup.Variable("MATTER_ID"))
		return nil
	}
	root := &branch{Tree: &term.Tree{Text: "Matter " + matter}}
	folders := map[string]*branch{"": root} // by id
	for entry, err := range s.Client.Documents.Walk(ctx, matter, practice.WalkOptions{}) {
		if err != nil {
			return err
		}
		above := folders[parentOf(entry)]
		if entry.File != nil {
			above.file(entry)
			continue
		}
		if len(folders) > maxFolders {
			s.Note("Only the first %d folders are shown.", maxFolders)
			break
		}
		folders[entry.ID()] = &branch{Tree: above.Add(entry.Name() + "/")}
	}
	files := 0
	for _, one := range folders {
		files += one.files
		one.end()
	}
	s.Tree(root.Tree)
	s.Blank()
	s.Line("%s in %s.", term.Count(files, "file"), term.Count(len(folders)-1, "folder"))
	return nil
}

// parentOf returns the id of the folder that holds an entry, empty for the
// root.
func parentOf(entry practice.WalkEntry) string {
	if len(entry.Parents) == 0 {
		return ""
	}
	return entry.Parents[len(entry.Parents)-1].ID
}

// branch is a folder of the tree.
type branch struct {
	*term.Tree
	files int
}

// file shows a file, unless its folder shows enough of them.
func (b *branch) file(entry practice.WalkEntry) {
	if b.files++; b.files > shownFiles {
		return
	}
	text := entry.Name()
	if bytes, known := entry.File.SizeBytes.Get(); known {
		text += fmt.Sprintf("  (%d bytes)", bytes)
	}
	b.Add(text)
}

// end returns how many files are not shown.
func (b *branch) end() {
	if hidden := b.files - shownFiles; hidden > 0 {
		b.Add("… and " + term.Count(hidden, "more file"))
	}
}
