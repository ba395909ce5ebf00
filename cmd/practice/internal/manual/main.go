// Command manual writes the manual pages of practice into a folder, one for
// each command.
//
//	go run ./internal/manual FOLDER
package main

import (
	"log"
	"os"
	"time"

	"github.com/spf13/cobra/doc"

	"github.com/practicesdk/practice-go/cmd/practice/internal/command"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: manual FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write writes the pages. They contain no date, so that the output is
// reproducible.
func write(folder string) error {
	tree := command.Tree()
	tree.DisableAutoGenTag = true
	tree.InitDefaultCompletionCmd()
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // pages are for everybody
		return err
	}
	return doc.GenManTree(tree, &doc.GenManHeader{Section: "1", Manual: "practice", Source: "practice", Date: new(time.Time)}, folder)
}
